"""Model of the pairing store (`gateway/inbound/pairing.py`): two operations at a time, with crashes, on two
channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import laws, pairing
from remit.gateway.inbound.limits import Limit
from remit.gateway.inbound.pairing import TABLE, Approve, Ask, ChannelPairings, Outcome, Rules, Waiting
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

RULES = Rules(lifetime=9, most=1, often=Limit(3, 9))
_MAIL, _CHAT = "mail", "chat"
CALLS = (  # what each of the two may do; together they do everything that matters at the same time
    ((_MAIL, Ask("ann", "1")), (_MAIL, Ask("bob", "3")), (_MAIL, Approve("1"))),
    ((_MAIL, Ask("ann", "2")), (_MAIL, Approve("1")), (_MAIL, Approve("3")), (_CHAT, Ask("ann", "1"))),
)
WHOSE = {"1": "ann", "2": "ann", "3": "bob"}  # by code


class PairingStoreState(NamedTuple):
    """The store, who does something with it, and what people were told."""

    memory: Memory = memory_of()
    doing: tuple[Point | None, ...] = (None, None)
    told: frozenset[str] = frozenset()  # who was told on the first channel that it waits
    let_in: frozenset[str] = frozenset()  # codes of which the operator was told that they are let in


def _actions() -> tuple[Action, ...]:
    running = Interleaving(apply=pairing.apply)

    def start(world: PairingStoreState) -> Iterator[tuple[Any, PairingStoreState]]:
        for place, point in enumerate(world.doing):
            if point is None:
                for channel, event in CALLS[place]:
                    begun = running.start("apply", RULES, channel, event, 0)
                    yield (place, channel, event), world._replace(doing=put(world.doing, place, begun))

    def done(world: PairingStoreState, _: int, call: OperationCall, outcome: Outcome) -> PairingStoreState:
        _, channel, event, _ = call.args
        if channel == _CHAT:
            return world
        if outcome is Outcome.ASKED:
            return world._replace(told=world.told | {event.sender})
        return world._replace(let_in=world.let_in | {event.code}) if outcome is Outcome.APPROVED else world

    def crash(world: PairingStoreState) -> Iterator[tuple[Any, PairingStoreState]]:
        for place, point in enumerate(world.doing):
            if point is not None:
                yield place, world._replace(doing=put(world.doing, place, None))

    return Action("start", start), Action("go on", going_on(running, done, (0, 1))), Action("crash", crash)


def _channel(world: PairingStoreState, name: str = _MAIL) -> ChannelPairings:
    return world.memory.get(TABLE, name) or ChannelPairings()


def _senders(channel: ChannelPairings) -> list[str]:
    return [one.sender for one in channel.waiting] + list(channel.allowed)


_INVARIANTS = (
    Invariant("cap-together", "no more senders wait than the limit allows, with concurrent requests too", lambda world: bool(_channel(world).waiting),
              lambda world: laws.within_cap(RULES, _channel(world).waiting)),
    Invariant("once-together", "no sender is listed twice, however many requests it sends at the same time",
              lambda world: bool(_senders(_channel(world))),
              lambda world: all(law(_channel(world)) for law in (laws.one_request_each, laws.one_entry_each, laws.waits_or_is_in))),
    Invariant("told-is-kept", "a sender that was told that it waits does wait, or was admitted", lambda world: bool(world.told),
              lambda world: world.told <= set(_senders(_channel(world)))),
    Invariant("approvals-are-kept", "an approved sender stays approved, whatever happens at the same time", lambda world: bool(world.let_in),
              lambda world: {WHOSE[code] for code in world.let_in} <= set(_channel(world).allowed)),
    Invariant("channels-apart", "a sender that waits or is admitted on one channel is unknown on another",
              lambda world: _channel(world, _CHAT) != ChannelPairings(), lambda world: _senders(_channel(world, _CHAT)) == ["ann"]),
)  # fmt: skip


def _checks_then_inserts(real: Callable[..., Operation[Any]]) -> Callable[..., Operation[Any]]:
    """Decides in one transaction and inserts in another, which does not decide again."""

    def apply(rules: Rules, channel: str, event: Any, now: int) -> Operation[Any]:
        if not isinstance(event, Ask):
            return (yield from real(rules, channel, event, now))
        outcome = yield from without_writing(TABLE)(real)(rules, channel, event, now)
        if outcome is Outcome.ASKED:
            yield Begin()
            known: ChannelPairings = (yield Read(TABLE, channel)) or ChannelPairings()
            waiting = (*known.waiting, Waiting(event.sender, event.code, now + rules.lifetime))
            yield Write(TABLE, channel, known._replace(waiting=tuple(sorted(waiting))))
            yield Commit()
        return outcome

    return apply


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("checks, then inserts", "cap-together", Patch(pairing, "apply", _checks_then_inserts)),
        Mutant("checks who waits, then inserts", "once-together", Patch(pairing, "apply", _checks_then_inserts)),
        Mutant("reads and writes without a transaction", "told-is-kept", Patch(pairing, "apply", without_transaction)),
        Mutant("approves without a transaction", "approvals-are-kept", Patch(pairing, "apply", without_transaction)),
        Mutant("does not keep it", "told-is-kept", Patch(pairing, "apply", without_writing(TABLE))),
        Mutant(
            "has one list for all channels",
            "channels-apart",
            Patch(pairing, "apply", lambda real: lambda rules, _, event, now: real(rules, _CHAT, event, now)),
        ),
    )
    return Model(
        "pairing-store", "limit, one request per sender and approvals hold with concurrent operations and after crashes",
        (PairingStoreState(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
