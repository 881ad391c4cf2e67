"""Model of the whole pipeline of the gateway (`gateway/inbound/service.py`): ingress, gate, routing, turn, policy,
approval, device and delivery, with two people, an unknown sender and an operator, while settings change, a person is
locked out, and the process crashes.

What is explored are the coroutines of the gateway itself. An operation of the store is one step here: what happens within one is in
other models. The model is a bad one: it calls what it was not shown, by another name, and repeats everything that it heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import delivery, events, intake, laws, service, turn_context, turns
from remit.gateway.inbound.agent.turn import tools
from remit.gateway.inbound.delivery import OVER, Piece
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.events import EventResult
from remit.gateway.inbound.intake import ONCE
from remit.gateway.inbound.nodes import command_requests
from remit.gateway.inbound.nodes.runs import TABLE as RUNS
from remit.gateway.inbound.nodes.runs import RunPhase
from remit.gateway.inbound.pairing import Remove
from remit.gateway.inbound.stores.tables import TALKS
from remit.gateway.inbound.turns import ORDERS, TURNS, TurnPhase
from remit.models.explore.coroutines import Play, Playing
from remit.models.explore.interleave import Memory, StoredValue, memory_of, put, without_writing
from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds.inbound import _scene as scene
from remit.models.explore.worlds.inbound._gateway import REQUEST, RIM, Keeps, Runs, Sends, Thinks, makers
from remit.models.explore.worlds.inbound._scene import ANN, APPROVES, BOB, EVE, EVENTS, MORE

# What `pipeline` explores: the coroutines of the gateway (`_gateway.py`) among the people of `_scene.py`. An operation of the store is one
# step, and a sending is out when it is waited for.
WORKERS = ("v", "w", "s", "o")  # two that think, one that sends, and one that does what operators command
_DOES = ("turn", "turn", "send", "order")
_LOOKS_AT = (TURNS, TURNS, DELIVERY, ORDERS)


class DeviceRun(NamedTuple):
    """What a device was asked, and what stood there then."""

    settings: int  # by which it was judged last, before the disk said that it runs
    approver: str
    right: bool  # what runs is what the store says that was asked and approved
    admitted: bool  # the log says that it was let through


class PipelineState(NamedTuple):
    """The store, the workers of the gateway, and what really went on."""

    comes: tuple[int, ...]  # the events of this story
    memory: Memory = scene.BEGUN
    doing: tuple[Play | None, ...] = (None, None, None, None)
    settings: int = scene.OPEN
    shut_out: bool = False  # ann
    crashed: bool = False
    mishaps: int = 1  # that may still happen
    again: int = 1  # how often a platform sends again what it sent before
    told: frozenset[int] = frozenset()  # events that the platform was told we have
    heard: frozenset[tuple[int, bool]] = frozenset()  # events that an agent hears, and whether their speaker was let in
    out: tuple[tuple[str, str, str], ...] = ()  # to whom what went out, with its trace
    ran: tuple[DeviceRun, ...] = ()


def _aged(kept: Memory) -> Memory:
    """A second later. That anything is forgotten some day is left out."""
    return memory_of(
        {
            key: StoredValue(one.value, None if one.due is None else max(one.due - 1, 0))
            for key, one in kept.rows.items()
        }
    )


def _effect(world: PipelineState, play: Play) -> PipelineState:
    """What goes on in the world because the gateway waits for it now."""
    match play.asks:
        case Sends(piece):
            return world._replace(out=tuple(sorted((*world.out, (piece.route.to, piece.body, piece.trace)))))
        case Runs(name, command, arguments, admitted):
            kept = world.memory.get(RUNS, name)
            wanted = (command, arguments) == (scene.WANTED.command, scene.WANTED.arguments)
            right = wanted and kept is not None and kept.phase is RunPhase.RUNNING and kept.digest == scene.DIGEST
            run = DeviceRun(int(str(play.answers[-2].moment)), kept.approver if kept else "", right, admitted)
            return world._replace(ran=(*world.ran, run))
    return world


def _words(asked: Any) -> str:
    return asked.told() if isinstance(asked, Keeps) else type(asked).__name__.lower()


class _Gateway:
    """The coroutines of the gateway, for one exploration."""

    def __init__(self) -> None:
        self.playing = Playing(**makers(scene.SETTINGS, scene.DEVICE, EVENTS))
        self._steps: dict[tuple[Memory, Play, int], tuple[Memory, Play]] = {}

    def step(self, memory: Memory, play: Play, settings: int) -> tuple[Memory, Play]:
        """Answered once."""
        at = (memory, play, settings)
        found = self._steps.get(at)
        if found is None:
            left, value = memory, None
            if isinstance(play.asks, Keeps):
                left, value = self.playing.course(play, lambda asked: asked.operation).alone(memory)
            else:
                value = scene.answer_of(play.asks)
            found = self._steps[at] = left, self.playing.answered(play, settings, value)
        return found

    def whole(self, world: PipelineState, name: str, arg: Any) -> tuple[PipelineState, Any]:
        """From its beginning to its end with nobody in between."""
        play, memory = self.playing.start(world.settings, name, arg), world.memory
        while not play.over:
            memory, play = self.step(memory, play, world.settings)
        return world._replace(memory=memory), play.value

    def work(self, place: int) -> Callable[[PipelineState], Iterator[tuple[Any, PipelineState]]]:
        """A worker goes on by one answer, or takes what is due. What is sent is out when it is waited for."""
        worker, does, table = WORKERS[place], _DOES[place], _LOOKS_AT[place]

        def moves(world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
            play = world.doing[place]
            if play is None:
                if not world.memory.first(table, 0) or (place == 1 and world.doing[0] is None):
                    return  # of two that are idle, the first takes it
                play = self.playing.start(world.settings, does, worker)
            memory, then = self.step(world.memory, play, world.settings)
            after = _effect(world._replace(memory=memory), then)
            if isinstance(then.asks, Sends):
                memory, then = self.step(memory, then, world.settings)
            yield _words(play.asks), after._replace(doing=put(world.doing, place, None if then.over else then))

        return moves

    def come(self, world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
        """A platform sends an event, for the first time or again."""
        for number in world.comes:
            known = number in world.told
            if known and not world.again:
                continue
            after, fate = self.whole(world, "hear", number)
            peer = EVENTS[number].place.peer
            let_in = peer in ("olga", "bob") or (peer == "ann" and not world.shut_out)
            heard = {(number, let_in)} if fate.heard in (EventResult.HEARD, EventResult.COMMAND) else set()
            yield (
                (peer, number),
                after._replace(told=world.told | {number}, heard=world.heard | heard, again=world.again - known),
            )

    def shut_out(self, world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
        """The operator takes back that ann is let in."""
        if world.mishaps and not world.shut_out:
            after, _ = self.whole(world, "unpair", Remove("ann"))
            yield "ann", after._replace(shut_out=True, mishaps=world.mishaps - 1)


def _reload(world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
    if world.mishaps and world.settings == scene.OPEN:
        for number, what in ((1, "the tool is denied"), (2, "the command is denied")):
            yield what, world._replace(settings=number, mishaps=world.mishaps - 1)


def _crash(world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
    if world.mishaps and any(world.doing):
        yield (), world._replace(doing=(None, None, None, None), crashed=True, mishaps=world.mishaps - 1)


def _tick(world: PipelineState) -> Iterator[tuple[Any, PipelineState]]:
    waits = any(one.phase is TurnPhase.SUSPENDED for one in world.memory.table(TURNS).values())
    if (world.crashed or waits) and not any(world.doing):
        yield (), world._replace(memory=_aged(world.memory))


def _actions() -> tuple[Action, ...]:
    gateway = _Gateway()
    works = [Action(f"{name} works", gateway.work(place)) for place, name in enumerate(WORKERS)]
    return (
        Action("an event comes", gateway.come), *works, Action("change the settings", _reload), Action("shut out", gateway.shut_out),
        Action("crash", _crash), Action("a second passes", _tick),
    )  # fmt: skip


_FAIR = (*(f"{name} works" for name in WORKERS), "a second passes")
_TRACES = {event.trace: number for number, event in enumerate(EVENTS)}


def _owed(world: PipelineState, to: str, body: str, trace: str) -> bool:
    """Whether somebody may be sent this: an answer to what it said and was heard with, or a word that it is unknown, a code, or a question
    to who runs the gateway."""
    number = _TRACES.get(trace)
    if number is None:
        return (to, trace) == ("olga", REQUEST) and (ANN, True) in world.heard
    mine = EVENTS[number].place.peer == to
    return mine and ((number, True) in world.heard or body == intake.PAIRING_TEXT.format(code=f"code-{to}"))


def _in_place(world: PipelineState) -> bool:
    """Turns lie in their own session, and no conversation has words of another person."""
    turns_, talks = {**world.memory.table(TURNS), **world.memory.table(ORDERS)}, world.memory.table(TALKS)
    right = {scene.SESSIONS[EVENTS[number].place.peer] for number, _ in world.heard}
    apart = all(_apart(session.rpartition("/")[2], " ".join(scene.words_in(talk))) for session, talk in talks.items())
    return apart and all(
        turn.session == scene.SESSIONS[EVENTS[_TRACES[turn.trace]].place.peer] in right for turn in turns_.values()
    )


def _apart(peer: str, text: str) -> bool:
    return peer not in scene.MARKS or all(mark not in text for name, mark in scene.MARKS.items() if name != peer)


def _answers(world: PipelineState) -> list[str]:
    return [trace for _, body, trace in world.out if body != delivery.UNKNOWN]


def _ended(world: PipelineState) -> bool:
    """Everything that was taken has an end."""
    over = all(
        one.phase in (TurnPhase.DONE, TurnPhase.INTERRUPTED)
        for lane in (TURNS, ORDERS)
        for one in world.memory.table(lane).values()
    )
    return (
        over and not any(world.doing) and all(one.phase in OVER for one in world.memory.table(delivery.TABLE).values())
    )


def _acted(world: PipelineState) -> bool:
    return bool(world.ran)


def _shown(world: PipelineState) -> Iterator[tuple[int, frozenset[str]]]:
    """The settings with which each model is asked, and the tools that it is shown."""
    for play in world.doing:
        if play is not None and isinstance(play.asks, Thinks):
            yield int(str(play.answers[-1].moment)), play.asks.shown


_INVARIANTS = (
    Invariant("owed", "every message and every command to a device belongs to an event of an admitted sender; an unknown sender gets only its code",
              lambda world: bool(world.out or world.ran),
              lambda world: all(_owed(world, *one) for one in world.out) and (not world.ran or (ANN, True) in world.heard)),
    Invariant("let-in", "an agent hears only senders that were admitted when they spoke", lambda world: bool(world.heard),
              lambda world: all(let_in for _, let_in in world.heard)),
    Invariant("own-session", "each sender is heard in its own session, which contains no words of others", lambda world: bool(world.heard), _in_place),
    Invariant("nothing-crosses", "no word of one person is sent to another, whatever the model says", lambda world: bool(world.out),
              lambda world: all(_apart(to, body) for to, body, _ in world.out)),
    Invariant("allowed-at-the-run", "no call runs that tool policy or device settings deny when it runs, whatever they said before", _acted,
              lambda world: all(one.settings == scene.OPEN for one in world.ran)),
    Invariant("denied-is-not-shown", "a model is never shown a denied tool", lambda world: any(shown for _, shown in _shown(world)),
              lambda world: all(laws.denied_is_not_shown(shown, scene.ALLOWED[settings]) for settings, shown in _shown(world))),
    Invariant("approved-by-the-operator", "the operator approved every command that a device runs, in an event of the operator's own that was heard", _acted,
              lambda world: all(one.approver == "chat:olga" for one in world.ran) and (APPROVES, True) in world.heard),
    Invariant("as-it-was-approved", "the command that runs is byte for byte the one that was requested and approved", _acted, lambda world: all(one.right for one in world.ran)),
    Invariant("recorded-first", "the log records that a call was allowed before it has any effect", _acted,
              lambda world: all(one.admitted for one in world.ran)),
    Invariant("once-to-the-end", "an event leads to at most one run and one answer, with any repetitions and crashes",
              lambda world: bool(world.out) or _acted(world),
              lambda world: len(world.ran) <= 1 and len(_answers(world)) == len(set(_answers(world)))),
)  # fmt: skip
_EVENTUALLY = (
    Eventually("comes-to-an-end", "every event that was confirmed to the platform is answered or reported as interrupted, and the answer is sent or given up",
               lambda world: bool(world.told), _ended, _FAIR),
)  # fmt: skip


def _not_again(real: Callable[..., Any]) -> Callable[..., Any]:
    """Asks the tool policy when a tool is called, and not when it runs."""

    async def refused(around_: Any, wanted: Any) -> Any:
        return await real(_Trusting(around_), wanted)

    return refused


class _Trusting:
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def refusal_now(self) -> str:
        return ""


def _unrecorded(real: Callable[..., Any]) -> Callable[..., Any]:
    """Writes down what was done, and not what is about to be."""

    class Silent(real):  # type: ignore[misc, valid-type]
        def record(self, about: Any, call: Any, *, refused: str = "", ended: str = "") -> None:
            if ended:
                super().record(about, call, refused=refused, ended=ended)

    return Silent


def _shows_everything(real: Callable[..., Any]) -> Callable[..., Any]:
    """Shows every tool, whether it is allowed or not."""

    class Showing(real):  # type: ignore[misc, valid-type]
        def shown(self, about: Any) -> Any:
            _ = about
            return tuple(tools().values())

    return Showing


def _never_lost(real: Callable[..., Any]) -> Callable[..., Any]:
    def kept(key: str, piece: Piece, now: int) -> Any:
        write = real(key, piece, now)
        return write._replace(due=None) if piece.worker else write

    return kept


def model() -> Model:
    """The model."""
    everybody = Patch(
        intake, "pass_gate", lambda real: lambda known, _, event: real(known, frozenset({"ann", "bob", "eve"}), event)
    )
    mixed = Patch(
        intake,
        "session_key",
        lambda real: lambda settings, agent, place: real(settings, agent, place._replace(peer="ann")),
    )
    mutants = (
        Mutant("answers somebody else", "owed", Patch(turns, "back_to", lambda real: lambda event: real(event)._replace(to="eve"))),
        Mutant("takes everybody for paired", "let-in", everybody),
        Mutant("puts all into one session", "own-session", mixed),
        Mutant("reads another conversation", "nothing-crosses", Patch(service, "_read",
            lambda real: lambda session: real(scene.SESSIONS["bob"] if session == scene.SESSIONS["ann"] else scene.SESSIONS["ann"]))),
        Mutant("does not ask the policy again", "allowed-at-the-run", Patch(command_requests, "_refused", _not_again)),
        Mutant("allows every tool", "allowed-at-the-run", Patch(turn_context, "allowed", lambda _: lambda *_: frozenset({"node_run"}))),
        Mutant("shows every tool", "denied-is-not-shown", Patch(service, "TurnContext", _shows_everything)),
        Mutant("takes a text for a command", "approved-by-the-operator", Patch(events, "is_command", lambda _: lambda known, _, event: event.text.startswith(known.command))),
        Mutant("wants no approval", "approved-by-the-operator", Patch(command_requests, "wants_approval", lambda _: lambda *_, **__: False)),
        Mutant("leaves the arguments out of what is approved", "as-it-was-approved", Patch(command_requests, "digest", lambda real: lambda value: real({**value, "arguments": ""}))),
        Mutant("runs before it records", "recorded-first", Patch(service, "TurnContext", _unrecorded)),
        Mutant("hears an event again", "once-to-the-end", Patch(intake, "once", without_writing(ONCE))),
        Mutant("looks for nobody who is lost", "comes-to-an-end", Patch(delivery, "kept", _never_lost)),
    )  # fmt: skip
    constants = (
        *RIM, Patch(turn_context, "LIFETIME", lambda _: 1), Patch(turns, "LEASE", lambda _: 1), Patch(delivery, "LEASE", lambda _: 1),
    )  # fmt: skip
    stories = (
        PipelineState((ANN, APPROVES), again=0),
        PipelineState((ANN, BOB), again=0),
        PipelineState((ANN, EVE)),
        PipelineState((BOB, MORE)),
    )
    return Model(
        "pipeline", "from an event to its answer or to a device: only for admitted senders, in their own session, allowed at that moment, approved, at most once, and always to an end",
        stories, _actions, _INVARIANTS, _ended, mutants, _EVENTUALLY, constants=constants,
    )  # fmt: skip
