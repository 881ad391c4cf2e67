"""Theory of token buckets (`gateway/inbound/limits.py`), for any limit and any number of events.

What is taken in a window that began at any moment is counted. Seconds for one more are `slow`, so that `slow` times what is left, and the seconds since
that is counted, is what a bucket is worth; that grows by a second a second, and shrinks by `slow` with each that is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import limits
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


class Limit(NamedTuple):
    """At most `most` at once, and one more after every `slow` seconds."""

    most: Term
    slow: Term


class Bucket(NamedTuple):
    """What is left, and since when that is counted."""

    left: Term
    since: Term


def gained(bucket: Bucket, limit: Limit, now: Term) -> Term:
    """Return how many tokens were added since. A clock that goes back adds none."""
    passed = z3.If(now > bucket.since, now - bucket.since, 0)
    return passed / limit.slow  # whole numbers


def filled(bucket: Bucket, more: Term, limit: Limit, now: Term) -> Bucket:
    """Return the bucket after refilling, up to its capacity."""
    full = bucket.left + more >= limit.most
    return Bucket(z3.If(full, limit.most, bucket.left + more), z3.If(full, now, bucket.since + more * limit.slow))


def taken(bucket: Bucket) -> tuple[Bucket, Term]:
    """Return the bucket with one token less, if there is one."""
    some = bucket.left > 0
    return Bucket(z3.If(some, bucket.left - 1, bucket.left), bucket.since), some


class BucketRules(NamedTuple):
    """The rules."""

    gained: Callable[[Bucket, Limit, Term], Term] = gained
    filled: Callable[[Bucket, Term, Limit, Term], Bucket] = filled
    taken: Callable[[Bucket], tuple[Bucket, Term]] = taken


def take(rules: BucketRules, bucket: Bucket, limit: Limit, now: Term) -> tuple[Bucket, Term]:
    """Take a token; return whether there was one."""
    return rules.taken(rules.filled(bucket, rules.gained(bucket, limit, now), limit, now))


class BucketWindow(NamedTuple):
    """A bucket in a window: how many were taken in it, and the last moment."""

    bucket: Bucket
    count: Term
    last: Term


_LIMIT = Limit(*z3.Ints("most slow"))
_SOME = (_LIMIT.most >= 1, _LIMIT.slow >= 1)
_START = z3.Int("start")


def _sound(bucket: Bucket, last: Term) -> Term:
    """The invariant of every used bucket: it is not full, and counted since a past moment."""
    return z3.And(bucket.left >= 0, bucket.left < _LIMIT.most, bucket.since <= last)


def _worth(bucket: Bucket, last: Term) -> Term:
    """Return the content in seconds, at most a full bucket."""
    full, now = _LIMIT.most * _LIMIT.slow, bucket.left * _LIMIT.slow + last - bucket.since
    return z3.If(now < full, now, full)


def _told(name: str, seen: BucketWindow) -> Told:
    return (
        (f"left {name}", seen.bucket.left), (f"since {name}", seen.bucket.since), (f"taken in the window {name}", seen.count),
        (f"the time {name}", seen.last),
    )  # fmt: skip


def _any(name: str) -> BucketWindow:
    left, since, count, last = z3.Ints(f"left{name} since{name} count{name} last{name}")
    return BucketWindow(Bucket(left, since), count, last)


def _window(seen: BucketWindow, name: str) -> State:
    """Everything taken and left comes from a full bucket and the time of the window."""
    full, slow = _LIMIT.most * _LIMIT.slow, _LIMIT.slow
    spent = seen.count * slow + _worth(seen.bucket, seen.last) <= full + (seen.last - _START)
    return State(z3.And(_sound(seen.bucket, seen.last), seen.count >= 0, seen.last >= _START, spent), _told(name, seen))


def _never_more(rules: BucketRules) -> Iterator[Claim]:
    """One event more, at a time not before the last; and from what holds then, the limit of the window."""
    seen, now = _any(""), z3.Int("now")
    bucket, some = take(rules, seen.bucket, _LIMIT, now)
    after = BucketWindow(bucket, seen.count + z3.If(some, 1, 0), now)
    begun = BucketWindow(seen.bucket, z3.IntVal(0), _START)
    limit = (("at most", _LIMIT.most), ("one more after", _LIMIT.slow), ("the window began", _START))
    yield Claim(
        "the window begins",
        (*_SOME, _sound(seen.bucket, _START)),
        True,
        _window(begun, "").holds,
        (*limit, *_told("", begun)),
    )
    before, then = _window(seen, "before"), _window(after, "after")
    _, step = induction(
        before, before._replace(told=(*limit, *before.told)), then, given=(*_SOME, now >= seen.last), seen=some
    )
    yield step
    most = seen.count * _LIMIT.slow <= _LIMIT.most * _LIMIT.slow + (seen.last - _START)
    yield Claim("the window ends", (*_SOME, before.holds), seen.count > _LIMIT.most, most, (*limit, *before.told))


def _first(rules: BucketRules) -> Iterator[Claim]:
    """An unused bucket is full, and sound from its first use on."""
    now = z3.Int("now")
    bucket, some = take(rules, Bucket(_LIMIT.most, now), _LIMIT, now)
    told = (("at most", _LIMIT.most), ("left", bucket.left), ("there was one", some))
    yield Claim("the first", _SOME, True, z3.And(some, _sound(bucket, now), bucket.left == _LIMIT.most - 1), told)


def _empty(rules: BucketRules) -> Iterator[Claim]:
    """An empty bucket gives nothing before its time, and something after it."""
    since, now = z3.Ints("since now")
    empty = Bucket(z3.IntVal(0), since)
    _, some = take(rules, empty, _LIMIT, now)
    told = (("one more after", _LIMIT.slow), ("empty since", since), ("the time", now), ("there was one", some))
    yield Claim("too early", _SOME, now < since + _LIMIT.slow, z3.Not(some), told)
    yield Claim("in time", _SOME, now >= since + _LIMIT.slow, some, told)


def _back(rules: BucketRules) -> Iterator[Claim]:
    """A clock that goes back adds nothing, and does not move the start of counting back."""
    seen, now = _any(""), z3.Int("now")
    bucket, some = take(rules, seen.bucket, _LIMIT, now)
    told = (
        ("at most", _LIMIT.most),
        *_told("before", seen),
        ("the clock says", now),
        ("left after", bucket.left),
        ("since after", bucket.since),
    )
    then = z3.And(bucket.left == seen.bucket.left - z3.If(some, 1, 0), bucket.since == seen.bucket.since)
    yield Claim("an event", (*_SOME, _sound(seen.bucket, seen.last)), z3.And(now < seen.bucket.since, some), then, told)


_THEOREMS = (
    Theorem("never-more-in-any-window", "in any interval, after any number of events, a bucket gives at most its limit plus one for each pause in the interval",
            _never_more),
    Theorem("full-at-first-and-no-fuller", "an unused bucket contains exactly its limit, and no bucket ever contains more", _first),
    Theorem("empty-until-its-time", "an empty bucket gives nothing before its time, and one after it", _empty),
    Theorem("a-clock-that-goes-back-fills-nothing", "a clock that goes back never fills a bucket", _back),
)  # fmt: skip


class BucketCase(NamedTuple):
    """A limit, and the times of events."""

    most: int
    slow: int
    times: tuple[int, ...]


def _sample(random: Random) -> BucketCase:
    times = tuple(random.randint(0, 12) for _ in range(random.randint(1, 6)))
    return BucketCase(random.randint(1, 3), random.randint(1, 4), times)


def _every() -> Iterator[BucketCase]:
    for times in product((0, 3, 4, 9), repeat=2):
        yield BucketCase(2, 4, (0, *times))


def _encoded(rules: BucketRules, case: BucketCase) -> Any:
    limit, found = Limit(z3.IntVal(case.most), z3.IntVal(case.slow)), []
    bucket = Bucket(limit.most, z3.IntVal(case.times[0]))
    for now in case.times:
        after, some = take(rules, bucket, limit, z3.IntVal(now))
        found.append((value(after.left), value(after.since), value(some)))
        bucket = Bucket(*map(z3.IntVal, found[-1][:2]))
    return tuple(found)


def _code(case: BucketCase) -> Any:
    limit, bucket, found = limits.Limit(case.most, case.slow), None, []
    for now in case.times:
        bucket, some = limits.take(bucket, limit, now)
        found.append((*bucket, some))
    return tuple(found)


def _counts_from_now(real: Callable[..., Any]) -> Callable[..., Any]:
    def take(known: Any, limit: Any, now: int) -> Any:
        bucket, some = real(known, limit, now)
        return bucket._replace(since=now), some

    return take


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("fills twice as fast", "never-more-in-any-window", "gained",
            lambda bucket, limit, now: z3.If(now > bucket.since, 2 * (now - bucket.since), 0) / limit.slow),
        Mutant("counts the same time again", "never-more-in-any-window", "filled",
            lambda bucket, more, limit, _: Bucket(z3.If(bucket.left + more >= limit.most, limit.most, bucket.left + more), bucket.since)),
        Mutant("gives one before its time", "empty-until-its-time", "taken",
            lambda bucket: (Bucket(bucket.left - 1, bucket.since), bucket.left >= 0)),
        Mutant("has one more at first", "full-at-first-and-no-fuller", "filled",
            lambda bucket, more, limit, _: Bucket(bucket.left + more + 1, bucket.since + more * limit.slow)),
        Mutant("takes any difference of times", "a-clock-that-goes-back-fills-nothing", "gained",
            lambda bucket, limit, now: z3.If(now > bucket.since, now - bucket.since, bucket.since - now) / limit.slow),
    )  # fmt: skip
    planted = (
        Planted(
            "fills at once",
            Patch(limits, "take", lambda _: lambda _, limit, now: (limits.Bucket(limit.most - 1, now), True)),
        ),
        Planted("counts from now on", Patch(limits, "take", _counts_from_now)),
    )
    return Theory(
        "bucket", "how often something may happen, for any limit and any number of events", BucketRules(), _THEOREMS, mutants,
        (Tie("what is left, event by event", _encoded, _code, _sample, planted, _every, samples=40),),
    )  # fmt: skip
