"""How often a caller may ask: a bucket of tokens, as a pure step. A request takes one; they come back with time.

    nothing = a full bucket --ask--> a token less --time--> full again = nothing

Whole milliseconds and whole parts of a token: the same times always give the same answers. A clock that goes back gives nothing.
"""

from __future__ import annotations

from typing import NamedTuple

_TOKEN = 60_000  # parts of a token: with one request a minute, a part comes back each millisecond
_MOST = 4096  # buckets that are kept before full ones are thrown away


class Rate(NamedTuple):
    """What a caller has. The default is beyond what two policy servers decide on a small machine."""

    minute: int = 30_000  # requests a minute
    burst: int = 1_000  # requests at once


class Bucket(NamedTuple):
    """What a caller has taken and time has not given back, in parts of a token; when that was so; whether the last request was refused."""

    taken: int = 0
    at: int = 0  # milliseconds
    refused: bool = False


class Asked(NamedTuple):
    """How many milliseconds a request comes too early (0: it is served), and whether it is the first in a row that does."""

    early: int
    first: bool


def step(known: Bucket, rate: Rate, now: int) -> tuple[Bucket, Asked]:
    """The bucket after one more request, and what becomes of the request."""
    at = max(known.at, now)
    taken = max(0, known.taken - (at - known.at) * rate.minute)
    over = taken + _TOKEN - rate.burst * _TOKEN
    if over > 0:
        return Bucket(taken, at, refused=True), Asked(-(-over // rate.minute), not known.refused)
    return Bucket(taken + _TOKEN, at), Asked(0, first=False)


class Buckets:
    """The buckets of all callers, in memory: after a restart they are full."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._kept: dict[str, Bucket] = {}

    def ask(self, name: str, now: int) -> Asked:
        """One more request of a caller."""
        if len(self._kept) >= _MOST:
            self._kept = {one: bucket for one, bucket in self._kept.items() if not self._is_full(bucket, now)}
        self._kept[name], asked = step(self._kept.get(name, Bucket()), self._rate, now)
        return asked

    def _is_full(self, bucket: Bucket, now: int) -> bool:
        """Whether it is as if nobody had asked."""
        return bucket.taken <= (now - bucket.at) * self._rate.minute
