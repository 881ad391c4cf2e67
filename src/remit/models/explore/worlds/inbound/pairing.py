"""Model of pairing on one channel (`gateway/inbound/pairing.py`): unknown senders who ask repeatedly, an operator
who answers codes, and time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import laws, pairing
from remit.gateway.inbound.limits import Limit
from remit.gateway.inbound.pairing import Approve, Ask, ChannelPairings, Deny, Outcome, Remove, Rules
from remit.models.explore.interleave import put
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering

SENDERS, CODES = ("ann", "bob", "cid"), ("1", "2", "3")
RULES = Rules(lifetime=2, most=2, often=Limit(3, 1))
LAST = 3


class PairingState(NamedTuple):
    """What is kept of the channel, and what really went on."""

    channel: ChannelPairings = ChannelPairings()
    now: int = 0
    asked: tuple[int | None, ...] = (None,) * len(SENDERS)  # when each asked last
    approved: frozenset[str] = frozenset()  # whose code the operator approved while it counted, and did not take back
    refreshed: Outcome | None = None  # what somebody was told just now who waited and asked again when no more may wait


def _live(channel: ChannelPairings, now: int) -> tuple[Any, ...]:
    return tuple(one for one in channel.waiting if now < one.until)


def _offered(channel: ChannelPairings) -> tuple[str, ...]:
    """A code that nobody has, and one that somebody has."""
    used = {one.code for one in channel.waiting}
    return (*sorted(set(CODES) - used)[:1], *sorted(used)[:1])


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    step = remembering(pairing.step)

    def ask(world: PairingState) -> Iterator[tuple[Any, PairingState]]:
        live = _live(world.channel, world.now)
        for place, sender in enumerate(SENDERS):
            for code in _offered(world.channel):
                channel, outcome = step(RULES, world.channel, Ask(sender, code), world.now)
                again = len(live) == RULES.most and any(one.sender == sender for one in live)
                asked = world.asked
                if outcome in (Outcome.ASKED, Outcome.AGAIN):
                    asked = put(asked, place, world.now)
                yield (
                    (sender, code),
                    PairingState(channel, world.now, asked, world.approved, outcome if again else None),
                )

    def answer(world: PairingState) -> Iterator[tuple[Any, PairingState]]:
        for code in CODES:
            for event in (Approve(code), Deny(code)):
                channel, outcome = step(RULES, world.channel, event, world.now)
                if outcome is not Outcome.UNKNOWN:
                    meant = {
                        one.sender for one in world.channel.waiting if one.code == code and outcome is Outcome.APPROVED
                    }
                    late = {
                        SENDERS[place]
                        for place, at in enumerate(world.asked)
                        if at is None or world.now - at >= RULES.lifetime
                    }
                    yield event, PairingState(channel, world.now, world.asked, world.approved | (meant - late))

    def remove(world: PairingState) -> Iterator[tuple[Any, PairingState]]:
        for sender in world.channel.allowed:
            channel, _ = step(RULES, world.channel, Remove(sender), world.now)
            yield sender, PairingState(channel, world.now, world.asked, world.approved - {sender})

    def tick(world: PairingState) -> Iterator[tuple[Any, PairingState]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1, refreshed=None)

    return Action("ask", ask), Action("the operator answers", answer), Action("the operator takes back", remove), Action("a second passes", tick)  # fmt: skip


def _canonical(world: PairingState) -> PairingState:
    """One world for all in which strangers and codes have other names: strangers in the order of what is so of them."""
    channel, now, asked, approved, refreshed = world
    waiting = {one.sender: one for one in channel.waiting}
    so_of = sorted(
        (sender in waiting and waiting[sender].until, sender in channel.allowed, -1 if at is None else at, sender in approved, sender)
        for sender, at in zip(SENDERS, asked, strict=True)
    )  # fmt: skip
    named = {old[-1]: new for old, new in zip(so_of, SENDERS, strict=True)}
    codes = {
        one.code: CODES[place] for place, one in enumerate(sorted(channel.waiting, key=lambda one: named[one.sender]))
    }
    if len(codes) < len(channel.waiting) or len(waiting) < len(channel.waiting):
        return world  # only spoiled code comes to this
    renamed = tuple(sorted(one._replace(sender=named[one.sender], code=codes[one.code]) for one in channel.waiting))
    return PairingState(
        ChannelPairings(renamed, tuple(sorted(named[one] for one in channel.allowed)), channel.asked),
        now, tuple(None if one[2] < 0 else one[2] for one in so_of), frozenset(named[one] for one in approved), refreshed,
    )  # fmt: skip


def _waits(world: PairingState) -> bool:
    return bool(_live(world.channel, world.now))


_INVARIANTS = (
    Invariant("cap", "no more senders wait on a channel at a time than the limit allows", _waits,
              lambda world: laws.within_cap(RULES, _live(world.channel, world.now))),
    Invariant("one-request-each", "no sender waits twice", _waits,
              lambda world: laws.one_request_each(world.channel)),
    Invariant("one-code-each", "each code belongs to one sender", _waits,
              lambda world: laws.one_code_each(world.channel)),
    Invariant("approved-in-time", "a sender is admitted only by a code that the operator approved in time",
              lambda world: bool(world.channel.allowed), lambda world: set(world.channel.allowed) == world.approved),
    Invariant("one-entry", "an admitted sender is listed once", lambda world: bool(world.channel.allowed),
              lambda world: laws.one_entry_each(world.channel)),
    Invariant("refresh-at-the-cap", "a waiting sender can ask again, also when the limit is reached", lambda world: world.refreshed is not None,
              lambda world: world.refreshed is Outcome.AGAIN),
    Invariant("let-in-does-not-wait", "an admitted sender does not wait", lambda world: bool(world.channel.allowed),
              lambda world: laws.waits_or_is_in(world.channel)),
)  # fmt: skip


def _spoiled_asking(**changed: Any) -> Callable[..., Any]:
    return lambda real: lambda rules, channel, event, now: real(rules._replace(**changed), channel, event, now)


def _forgets_who_waits(real: Callable[..., Any]) -> Callable[..., Any]:
    def asked(rules: Rules, channel: ChannelPairings, event: Ask, now: int) -> Any:
        others = channel._replace(waiting=tuple(one for one in channel.waiting if one.sender != event.sender))
        after, outcome = real(rules, others, event, now)
        twice = {*after.waiting, *channel.waiting}
        return after._replace(waiting=tuple(sorted(twice))), outcome

    return asked


def _gives_any_code(real: Callable[..., Any]) -> Callable[..., Any]:
    def asked(rules: Rules, channel: ChannelPairings, event: Ask, now: int) -> Any:
        after, outcome = real(rules, channel, event._replace(code="new"), now)
        renamed = (one._replace(code=event.code) if one.code == "new" else one for one in after.waiting)
        return after._replace(waiting=tuple(sorted(renamed))), outcome

    return asked


def _full_first(real: Callable[..., Any]) -> Callable[..., Any]:
    def asked(rules: Rules, channel: ChannelPairings, event: Ask, now: int) -> Any:
        full = len(channel.waiting) >= rules.most and event.sender not in channel.allowed
        return (channel, Outcome.FULL) if full else real(rules, channel, event, now)

    return asked


def _adds_an_entry(real: Callable[..., Any]) -> Callable[..., Any]:
    def answered(channel: ChannelPairings, code: str, *, let_in: bool) -> Any:
        after, outcome = real(channel, code, let_in=let_in)
        again = after.allowed if outcome is Outcome.APPROVED else ()
        return after._replace(allowed=tuple(sorted((*after.allowed, *again)))), outcome

    return answered


def _asks_who_is_let_in(real: Callable[..., Any]) -> Callable[..., Any]:
    def asked(rules: Rules, channel: ChannelPairings, event: Ask, now: int) -> Any:
        after, outcome = real(rules, channel._replace(allowed=()), event, now)
        return after._replace(allowed=channel.allowed), outcome

    return asked


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("counts one too few", "cap", Patch(pairing, "_asked", _spoiled_asking(most=RULES.most + 1))),
        Mutant("forgets who waits", "one-request-each", Patch(pairing, "_asked", _forgets_who_waits)),
        Mutant("gives a code twice", "one-code-each", Patch(pairing, "_asked", _gives_any_code)),
        Mutant(
            "does not look at the clock",
            "approved-in-time",
            Patch(pairing, "live", lambda real: lambda channel, now: real(channel, min(now, 0))),
        ),
        Mutant(
            "lets in who was denied",
            "approved-in-time",
            Patch(
                pairing,
                "_answered",
                lambda real: (
                    lambda channel, code, let_in: (
                        real(channel, code, let_in=True)[0],
                        real(channel, code, let_in=let_in)[1],
                    )
                ),
            ),
        ),
        Mutant("adds an entry for each approval", "one-entry", Patch(pairing, "_answered", _adds_an_entry)),
        Mutant("looks at the cap first", "refresh-at-the-cap", Patch(pairing, "_asked", _full_first)),
        Mutant("lets those who are in ask", "let-in-does-not-wait", Patch(pairing, "_asked", _asks_who_is_let_in)),
    )
    return Model(
        "pairing", "an unknown sender is admitted only by a code that the operator approved in time; few senders wait, each once, and no sender can shut out others",
        (PairingState(),), _actions, _INVARIANTS, lambda world: world.now == LAST, mutants, canonical=_canonical,
    )  # fmt: skip
