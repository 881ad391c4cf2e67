"""Rate limit: a bucket that refills with time. Whole numbers only, so that model states are comparable."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """At most `most` at once, and one more every `seconds`."""

    most: int
    seconds: int


class Bucket(NamedTuple):
    """What is left, and since when."""

    left: int
    since: int


def take(known: Bucket | None, limit: Limit, now: int) -> tuple[Bucket, bool]:
    """Take one; return the new bucket and whether it was allowed. A clock that goes backwards adds nothing."""
    left, since = known or (limit.most, now)
    gained = max(0, now - since) // limit.seconds
    if left + gained >= limit.most:
        left, since = limit.most, now
    else:
        left, since = left + gained, since + gained * limit.seconds
    return (Bucket(left - 1, since), True) if left > 0 else (Bucket(left, since), False)
