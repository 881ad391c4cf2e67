"""Model of rate limits (`gateway/inbound/limits.py`, and new pairing requests): several limits, every order of requests
and waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import limits, pairing
from remit.gateway.inbound.limits import Bucket, Limit
from remit.gateway.inbound.pairing import Ask, ChannelPairings, Deny, Outcome, Rules
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, every, remembering

LAST = 5


class LimitState(NamedTuple):
    """A bucket and a channel under one limit, and when something was let through."""

    limit: Limit
    bucket: Bucket | None = None
    channel: ChannelPairings = ChannelPairings()
    now: int = 0
    taken: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    full: bool = True  # whether what waited long enough was let through


def _actions() -> tuple[Action, ...]:
    step = remembering(pairing.step)

    def take(world: LimitState) -> Iterator[tuple[Any, LimitState]]:
        if world.asked:
            return
        bucket, found = limits.take(world.bucket, world.limit, world.now)
        rested = world.now - max(world.taken, default=-99) >= world.limit.seconds * world.limit.most
        taken = (*world.taken, world.now) if found else world.taken
        yield (), world._replace(bucket=bucket, taken=taken, full=found or not rested)

    def ask(world: LimitState) -> Iterator[tuple[Any, LimitState]]:
        if world.taken:
            return
        rules = Rules(lifetime=99, most=1, often=world.limit)
        channel, outcome = step(rules, world.channel, Ask("ann", "1"), world.now)
        if outcome is Outcome.ASKED:  # the operator answers, so that the next one may wait
            channel, _ = step(rules, channel, Deny("1"), world.now)
            yield "and is answered", world._replace(channel=channel, asked=(*world.asked, world.now))
        else:
            yield "too often", world._replace(channel=channel)

    def tick(world: LimitState) -> Iterator[tuple[Any, LimitState]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1, full=True)

    return Action("take", take), Action("ask", ask), Action("a second passes", tick)


def _within(limit: Limit, times: tuple[int, ...]) -> bool:
    """In no stretch of time more than there may be: as many as at once, and one more for each pause."""
    return all(
        last - first + 1 <= limit.most + (times[last] - times[first]) // limit.seconds
        for first in range(len(times))
        for last in range(first, len(times))
    )


_INVARIANTS = (
    Invariant("never-more", "no interval lets more events through than the limit allows", lambda world: len(world.taken) > 1,
              lambda world: _within(world.limit, world.taken)),
    Invariant("pairing-is-limited", "a channel has no more new requests than its limit allows, however many are answered", lambda world: len(world.asked) > 1,
              lambda world: _within(world.limit, world.asked)),
    Invariant("who-waits-is-let-through", "after a long enough pause an event is let through", lambda world: bool(world.taken), lambda world: world.full),
)  # fmt: skip


def model() -> Model:
    """The model."""
    mutants = (
        Mutant(
            "is full again with each second",
            "never-more",
            Patch(
                limits,
                "take",
                lambda real: (
                    lambda known, limit, now: real(known if known and known.since == now else None, limit, now)
                ),
            ),
        ),
        Mutant(
            "counts no requests",
            "pairing-is-limited",
            Patch(pairing, "take", lambda _: lambda _, limit, now: (Bucket(limit.most, now), True)),
        ),
        Mutant(
            "never fills again",
            "who-waits-is-let-through",
            Patch(
                limits, "take", lambda real: lambda known, limit, now: real(known, limit, known.since if known else now)
            ),
        ),
    )
    return Model(
        "limits", "a rate limit is never exceeded, and a sender can send again after a pause",
        tuple(map(LimitState, every(Limit, most=(1, 2), seconds=(1, 2, 3)))), _actions, _INVARIANTS, lambda world: world.now == LAST, mutants,
    )  # fmt: skip
