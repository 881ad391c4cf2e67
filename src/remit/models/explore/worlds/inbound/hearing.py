"""Model of the way from an unknown sender to the agent (`gateway/inbound/intake.py`): gate, pairing, routing and
storage in one operation, while the operator approves and revokes, an event is sent again, and the gateway crashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.gateway.inbound import intake, laws, pairing
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.events import Event, EventResult, Gate, What
from remit.gateway.inbound.intake import ONCE, keep
from remit.gateway.inbound.limits import Limit
from remit.gateway.inbound.pairing import Approve, Outcome, Remove, Rules
from remit.gateway.inbound.pairing import ChannelPairings as People
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import ChannelSettings, Platform, Settings
from remit.gateway.inbound.turns import COMMANDS, HEARD, TURNS
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    going_on,
    memory_of,
    put,
    without_writing,
)
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation

RULES = Rules(lifetime=99, most=1, often=Limit(2, 99))
SETTINGS = Settings(
    channels={"chat": ChannelSettings(Platform.WEBHOOK, "us", Gate(operators=frozenset({"olga"})), RULES, "secret")}
)
EVENTS = (
    Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "hello", "m1", "e1", digest="1"),
    Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "again", "m2", "e2", digest="2"),
    Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "bob"), What.SAID, "hello", "m3", "e3", digest="3"),
)
SESSIONS = {"ann": "main/direct/chat/us/ann", "bob": "main/direct/chat/us/bob"}


class HearingState(NamedTuple):
    """The store, the channel at the first place and the operator at the second, and what really went on."""

    memory: Memory = memory_of()
    doing: tuple[Point | None, ...] = (None, None)
    let_in: bool = False  # the operator lets ann in, and has not begun to take it back
    ever: bool = False  # the operator let ann in at some time
    told: frozenset[int] = frozenset()  # events of which the platform is told that an agent hears them
    taken_back: bool = False  # or is about to be


def heard(number: int) -> Operation[intake.Fate]:
    """An event comes in; each stranger has a code of its own."""
    return intake.hear(SETTINGS, EVENTS[number], f"code-{EVENTS[number].place.peer}", 0)


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    running = Interleaving(hear=heard, answer=pairing.apply)

    def send(world: HearingState) -> Iterator[tuple[Any, HearingState]]:
        if world.doing[0] is None:
            for number, event in enumerate(EVENTS):
                yield (
                    (event.place.peer, event.text),
                    world._replace(doing=put(world.doing, 0, running.start("hear", number))),
                )

    def approve(world: HearingState) -> Iterator[tuple[Any, HearingState]]:
        if world.doing[1] is None and not world.ever:
            begun = running.start("answer", RULES, "chat", Approve("code-ann"), 0)
            yield (), world._replace(doing=put(world.doing, 1, begun))

    def remove(world: HearingState) -> Iterator[tuple[Any, HearingState]]:
        if world.doing[1] is None and world.let_in:
            begun = running.start("answer", RULES, "chat", Remove("ann"), 0)
            yield (), world._replace(doing=put(world.doing, 1, begun), taken_back=True)

    def done(world: HearingState, _: int, call: OperationCall, value: Any) -> HearingState:
        if call.name == "hear":
            kept = value.heard is EventResult.HEARD
            return world._replace(told=world.told | {call.args[0]}) if kept else world
        if value is Outcome.APPROVED:
            return world._replace(let_in=True, ever=True)
        return world._replace(let_in=False) if value is Outcome.REMOVED else world

    def crash(world: HearingState) -> Iterator[tuple[Any, HearingState]]:
        if world.doing[0] is not None:
            yield (), world._replace(doing=put(world.doing, 0, None))

    return (
        Action("send", send), Action("approve", approve), Action("take back", remove), Action("go on", going_on(running, done, (0, 1))),
        Action("crash", crash),
    )  # fmt: skip


def _people(world: HearingState) -> People:
    found: People = world.memory.get("pairing", "chat") or People()
    return found


def _heard(world: HearingState) -> dict[str, Event]:
    return world.memory.table(HEARD)


def _codes(world: HearingState) -> list[Any]:
    return list(world.memory.table(DELIVERY).values())


_INVARIANTS = (
    Invariant("paired-first", "no sender is heard that the operator did not admit", lambda world: bool(_heard(world)),
              lambda world: {event.place.peer for event in _heard(world).values()} == {"ann"} and (world.ever or bool(_people(world).allowed))),
    Invariant("in-its-session", "a sender is heard by its agent, in its own session", lambda world: bool(_heard(world)),
              lambda world: all(turn.session == SESSIONS["ann"] and laws.in_its_session(SETTINGS, event, turn, COMMANDS)
                                for event, turn in zip(_heard(world).values(), world.memory.table(TURNS).values(), strict=False))),
    Invariant("code-goes-back", "a code is sent only to the sender that asked", lambda world: bool(_codes(world)),
              lambda world: all(piece.body.endswith(f"code-{piece.route.to}") for piece in _codes(world))),
    Invariant("told-is-kept", "an event that was confirmed to the platform is stored for its agent", lambda world: bool(world.told),
              lambda world: {EVENTS[number].text for number in world.told} <= {event.text for event in _heard(world).values()}),
    Invariant("strangers-leave-no-turn", "for an unknown sender only its request and its code are stored", lambda world: bool(_codes(world)) and not world.ever
              and world.doing[1] is None and not _people(world).allowed, lambda world: not world.memory.table(TURNS)),
    Invariant("one-code", "a sender gets its code once, however often it writes before the answer", lambda world: bool(_codes(world)) and not world.taken_back,
              lambda world: len([piece for piece in _codes(world) if piece.route.to == "ann"]) <= 1),
    Invariant("whole", "a heard event is remembered as heard", lambda world: bool(_heard(world)), lambda world: set(_heard(world)) <= set(world.memory.table(ONCE))),
)  # fmt: skip


def _tells_all(real: Callable[..., Any]) -> Callable[..., Any]:
    def paired(rules: Any, people: Any, event: Any, ask: Any, now: int) -> Any:
        return (yield from real(rules._replace(most=9), people._replace(waiting=()), event, ask, now))

    return paired


def _keeps_too(real: Callable[..., Any]) -> Callable[..., Any]:
    def paired(rules: Any, people: Any, event: Any, ask: Any, now: int) -> Any:
        fate = yield from real(rules, people, event, ask, now)
        yield from keep(intake._routed(SETTINGS, event, ask.sender, command=False), now)  # noqa: SLF001  what is spoiled is private
        return fate

    return paired


def model() -> Model:
    """The model."""
    swapped = Patch(
        intake,
        "back_to",
        lambda real: lambda event: real(event)._replace(to="bob" if event.place.peer == "ann" else "ann"),
    )
    mixed = Patch(
        intake,
        "session_key",
        lambda real: lambda settings, agent, place: real(settings, agent, place._replace(peer="everybody")),
    )
    mutants = (
        Mutant("takes everybody for paired", "paired-first", Patch(intake, "pass_gate", lambda real: lambda gate, _, event: real(gate, frozenset({"ann", "bob"}), event))),
        Mutant("puts all into one session", "in-its-session", mixed),
        Mutant("sends a code to another", "code-goes-back", swapped),
        Mutant("keeps nothing", "told-is-kept", Patch(intake, "hear", without_writing(HEARD))),
        Mutant("keeps what strangers say", "strangers-leave-no-turn", Patch(intake, "_paired", _keeps_too)),
        Mutant("forgets who waits", "one-code", Patch(intake, "_paired", _tells_all)),
        Mutant("does not remember what it heard", "whole", Patch(intake, "hear", without_writing(ONCE))),
    )  # fmt: skip
    return Model(
        "hearing", "in one operation from gate to agent: an unknown sender gets a code and nothing else, an admitted sender is heard in its own session",
        (HearingState(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
