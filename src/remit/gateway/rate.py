"""Rate limit per caller: a token bucket as a pure function. A request takes a token; tokens come back with time.

    no bucket = a full bucket --request--> one token less --time--> full again = no bucket

Times are whole milliseconds and amounts whole parts of a token, so the same times give the same answers. A clock that
goes backwards adds no tokens.
"""

from __future__ import annotations

from typing import NamedTuple

_TOKEN = 60_000  # parts of a token: with one request a minute, a part comes back each millisecond
_MOST = 4096  # buckets that are kept before full ones are thrown away


class Rate(NamedTuple):
    """The rate of a caller. The default exceeds what two policy servers can decide on a small machine."""

    minute: int = 30_000  # requests a minute
    burst: int = 1_000  # requests at once


class Bucket(NamedTuple):
    """Tokens taken and not yet returned (in parts of a token), since when, and whether the last request was refused."""

    taken: int = 0
    at: int = 0  # milliseconds
    refused: bool = False


class RateAnswer(NamedTuple):
    """Milliseconds by which a request is too early (0: accepted), and whether it is the first refused one in a row."""

    early: int
    first: bool


def step(known: Bucket, rate: Rate, now: int) -> tuple[Bucket, RateAnswer]:
    """Return the bucket after one more request, and whether the request is accepted."""
    at = max(known.at, now)
    taken = max(0, known.taken - (at - known.at) * rate.minute)
    over = taken + _TOKEN - rate.burst * _TOKEN
    if over > 0:
        return Bucket(taken, at, refused=True), RateAnswer(-(-over // rate.minute), not known.refused)
    return Bucket(taken + _TOKEN, at), RateAnswer(0, first=False)


class Buckets:
    """The buckets of all callers, in memory: after a restart they are full."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._kept: dict[str, Bucket] = {}

    def ask(self, name: str, now: int) -> RateAnswer:
        """Count one more request of a caller."""
        if len(self._kept) >= _MOST:
            self._kept = {one: bucket for one, bucket in self._kept.items() if not self._is_full(bucket, now)}
        self._kept[name], asked = step(self._kept.get(name, Bucket()), self._rate, now)
        return asked

    def _is_full(self, bucket: Bucket, now: int) -> bool:
        """Return whether the bucket is full again and can be forgotten."""
        return bucket.taken <= (now - bucket.at) * self._rate.minute
