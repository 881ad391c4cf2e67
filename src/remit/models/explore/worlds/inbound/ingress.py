"""Model of incoming events (`gateway/inbound/intake.py`): a platform that resends until acknowledged, two
gateways, crashes.

Four events: two parts of one request without names of their own, and one that has the name of another with another content. An agent
may have done with one of them before it is sent again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import events, intake, laws, turns
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.intake import ONCE, Routed
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.turns import HEARD, TURNS, TurnPhase
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    at_once,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds.inbound._lines import take_turn

_ANN, _BOB = (
    ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"),
    ChatAddress("chat", "us", ConversationKind.DIRECT, "bob"),
)
EVENTS = (
    Event(_ANN, What.SAID, "one", "m1", trace="t1", digest="1", part=0),
    Event(_ANN, What.SAID, "two", "m2", trace="t1", digest="1", part=1),
    Event(_BOB, What.SAID, "three", "m3", event="e", trace="t2", digest="3"),
    Event(_BOB, What.SAID, "four", "m4", event="e", trace="t3", digest="4"),
)
AGENT = "agent"
SESSIONS = {"ann": "agent/ann", "bob": "agent/bob"}


def _routed(event: Event) -> Routed:
    return Routed(event, event.place.peer, AGENT, SESSIONS[event.place.peer])


class IngressState(NamedTuple):
    """The store, what the gateway does, and what the platform knows."""

    memory: Memory = memory_of()
    doing: tuple[Point | None, ...] = (None, None)
    sent: frozenset[int] = frozenset()  # events that the platform sends, until it is told that they have arrived
    told: frozenset[int] = frozenset()
    turns: tuple[int, ...] = (0,) * len(EVENTS)  # how often an agent came to hear of each
    crashes: int = 1
    over: str = ""  # what an agent heard, and has done with


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    running = Interleaving(accept=intake.accept, take=take_turn, finish=turns.finish)

    def happen(world: IngressState) -> Iterator[tuple[Any, IngressState]]:
        for number, event in enumerate(EVENTS):
            if number not in world.sent and len(world.sent) < 2:
                yield event.text, world._replace(sent=world.sent | {number})

    def send(place: int) -> Callable[[IngressState], Iterator[tuple[Any, IngressState]]]:
        def moves(world: IngressState) -> Iterator[tuple[Any, IngressState]]:
            if world.doing[place] is None:
                for number in sorted(world.sent - world.told):
                    begun = running.start("accept", _routed(EVENTS[number]), 0)
                    yield EVENTS[number].text, world._replace(doing=put(world.doing, place, begun))

        return moves

    def done(world: IngressState, _: int, call: OperationCall, reason: str) -> IngressState:
        number = EVENTS.index(call.args[0].event)
        turns = world.turns if reason else put(world.turns, number, min(world.turns[number] + 1, 2))
        return world._replace(told=world.told | {number}, turns=turns)

    def hear(world: IngressState) -> Iterator[tuple[Any, IngressState]]:
        alone = not any(point is not None and point.began for point in world.doing)
        if alone and not world.over and world.memory.first(TURNS, 0):
            memory, (key, _, event) = at_once(running, world.memory, "take", "worker", 0)
            memory, _ = at_once(running, memory, "finish", key, "worker", 0, ())
            over = event.text if event is not None else "nothing"
            yield over, world._replace(memory=memory, over=over)

    def crash(world: IngressState) -> Iterator[tuple[Any, IngressState]]:
        if world.crashes and any(world.doing):
            yield (), world._replace(doing=(None, None), crashes=world.crashes - 1)

    return (
        Action("happen", happen), Action("send to the first", send(0)), Action("the first goes on", going_on(running, done, (0,))),
        Action("send to the second", send(1)), Action("the second goes on", going_on(running, done, (1,))),
        Action("an agent hears", hear), Action("crash", crash),
    )  # fmt: skip


_FAIR = ("send to the first", "the first goes on", "send to the second", "the second goes on")


def _heard(world: IngressState) -> dict[str, Event]:
    return world.memory.table(HEARD)


def _texts(world: IngressState) -> list[str]:
    """What is kept for an agent, or was heard by one."""
    return [*(event.text for event in _heard(world).values()), world.over]


def _waiting(world: IngressState) -> set[str]:
    return {key for key, turn in world.memory.table(TURNS).items() if turn.phase is TurnPhase.WAITING}


def _kept(world: IngressState) -> bool:
    return bool(_heard(world))


_INVARIANTS = (
    Invariant("once", "an agent hears an event once, however often and to which process it is sent", lambda world: any(world.turns),
              lambda world: max(world.turns) == 1),
    Invariant("told-is-kept", "no event is lost after its arrival was confirmed to the platform", lambda world: bool(world.told),
              lambda world: {EVENTS[number].text for number in world.told} <= set(_texts(world))),
    Invariant("all-or-nothing", "the record of an event, its content and its task for an agent are stored together", lambda world: bool(world.memory.rows),
              lambda world: laws.kept_together(world.memory.table(ONCE).keys(), _heard(world).keys(), _waiting(world))
              and world.memory.table(ONCE).keys() == world.memory.table(TURNS).keys()),
    Invariant("parts-keep-their-trace", "each part of a request is heard with its own content, trace and session", _kept,
              lambda world: all(event in EVENTS and laws.own_trace(event, world.memory.get(TURNS, key))
                                and world.memory.get(TURNS, key)[:2] == (SESSIONS[event.place.peer], AGENT) for key, event in _heard(world).items())),
    Invariant("names-that-collide", "two different events with one name are two events",
              lambda world: {2, 3} <= world.told, lambda world: {"three", "four"} <= set(_texts(world))),
    Invariant("without-a-name", "events without a name are distinguished by request, part and content",
              lambda world: {0, 1} <= world.told, lambda world: {"one", "two"} <= set(_texts(world))),
)  # fmt: skip
_EVENTUALLY = (
    Eventually(
        "arrives",
        "an event that the platform keeps sending is eventually heard",
        lambda world: world.sent == {0, 3},
        lambda world: {"one", "four"} <= set(_texts(world)),
        _FAIR,
    ),
)


def _named(**changed: Any) -> Callable[..., Any]:
    """Names that leave out some of what tells events apart."""
    return lambda real: lambda event: real(event)._replace(**changed)


def _acknowledges(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda event, now: real(event, now) if event.event != "e" else _seen()


def _seen() -> Any:
    return "SEEN"
    yield


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("does not remember", "once", Patch(intake, "accept", without_writing(ONCE))),
        Mutant("looks, then writes", "once", Patch(intake, "accept", without_transaction)),
        Mutant("forgets at once", "once", Patch(events, "KEPT", lambda _: 0)),
        Mutant("says that it has what it did not keep", "told-is-kept", Patch(intake, "once", _acknowledges)),
        Mutant("writes one thing after the other", "all-or-nothing", Patch(intake, "accept", without_transaction)),
        Mutant("keeps no content", "all-or-nothing", Patch(intake, "accept", without_writing(HEARD))),
        Mutant(
            "gives all parts the trace of one",
            "parts-keep-their-trace",
            Patch(
                intake,
                "keep",
                lambda real: lambda routed, now: real(routed._replace(event=routed.event._replace(trace="t1")), now),
            ),
        ),
        Mutant("believes the name alone", "names-that-collide", Patch(intake, "name_of", _named(digest=""))),
        Mutant("leaves out the part", "without-a-name", Patch(intake, "name_of", _named(part=0))),
        Mutant("drops what has a name", "arrives", Patch(intake, "once", _acknowledges)),
    )
    return Model(
        "ingress", "each event is heard once, and no event is lost after its arrival was confirmed",
        (IngressState(),), _actions, _INVARIANTS, lambda world: world.sent == world.told, mutants, _EVENTUALLY,
    )  # fmt: skip
