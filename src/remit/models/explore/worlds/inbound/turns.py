"""Model of one event until its agent has handled it (`gateway/inbound/turns.py`): two workers that crash, or are slower
than their lease.

As in `delivery`, the store always says that it is now, and what it keeps comes nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from remit.gateway.inbound import laws, turns
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.delivery import Piece
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.stores.operations import Write
from remit.gateway.inbound.turns import HEARD, TURNS, Turn, TurnPhase, WorkerLost, back_to
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    StoredValue,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds.inbound._lines import take_turn

WORKERS = ("v", "w")
KEY = "event"
EVENT = Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "do it", "m", "event", "trace")
TURN = Turn("session", "agent", "trace")
ANSWER = "done"


class TurnState(NamedTuple):
    """The store, how far each worker is with the turn (`thinks`, `acts`, `acted`), and what really went on."""

    memory: Memory
    doing: tuple[Point | None, ...] = (None, None)
    at: tuple[str, ...] = ("", "")
    acted: int = 0  # how often the tool ran
    finished: str = ""  # the worker that was told first that its answer counts
    crashes: int = 1  # that may still happen
    says: int = 1  # how often somebody may still say that it goes on: who thinks for ever answers never


_BEGUN = TurnState(memory_of({(TURNS, KEY): StoredValue(TURN, 0), (HEARD, KEY): StoredValue(EVENT)}))


def _aged(kept: Memory) -> Memory:
    """A second later. That an end is forgotten some day is left out."""
    return memory_of(
        {
            key: StoredValue(one.value, None if one.due is None else max(one.due - 1, 0))
            for key, one in kept.rows.items()
        }
    )


def answered(worker: str) -> tuple[Piece, ...]:
    """What a worker answers."""
    return (Piece(TURN.session, back_to(EVENT), f"{ANSWER} by {worker}", TURN.trace),)


def _started(running: Interleaving, world: TurnState, place: int, name: str, *args: Any) -> TurnState:
    return world._replace(doing=put(world.doing, place, running.start(name, *args)))


def _done(world: TurnState, place: int, call: OperationCall, value: Any) -> TurnState:
    if call.name == "take":
        mine = value is not None and value[1].phase is TurnPhase.TAKEN
        return world._replace(at=put(world.at, place, "thinks" if mine else ""))
    if call.name == "act":
        return world._replace(at=put(world.at, place, "acts" if value else ""))
    if call.name == "lives":
        return world if value else world._replace(at=put(world.at, place, ""))
    return world._replace(at=put(world.at, place, ""), finished=world.finished or (WORKERS[place] if value else ""))


def _work(running: Interleaving, place: int) -> Callable[[TurnState], Iterator[tuple[Any, TurnState]]]:
    worker = WORKERS[place]

    def moves(world: TurnState) -> Iterator[tuple[Any, TurnState]]:
        if world.doing[place] is not None:
            return
        match world.at[place]:
            case "" if world.memory.first(TURNS, 0):
                yield "take", _started(running, world, place, "take", worker, 0)
            case "thinks":
                yield "call a tool", _started(running, world, place, "act", KEY, worker)
                yield "answer", _started(running, world, place, "finish", KEY, worker, 0, answered(worker))
            case "acts":
                yield ("run the tool", world._replace(at=put(world.at, place, "acted"), acted=min(world.acted + 1, 2)))
            case "acted":
                yield "answer", _started(running, world, place, "finish", KEY, worker, 0, answered(worker))

    return moves


def _live(running: Interleaving, world: TurnState) -> Iterator[tuple[Any, TurnState]]:
    for place, worker in enumerate(WORKERS):
        if world.says and world.doing[place] is None and world.at[place]:
            yield worker, _started(running, world, place, "lives", KEY, worker)._replace(says=world.says - 1)


def _crash(world: TurnState) -> Iterator[tuple[Any, TurnState]]:
    for place, worker in enumerate(WORKERS):
        if world.crashes and (world.doing[place] or world.at[place]):
            yield (
                worker,
                world._replace(
                    doing=put(world.doing, place, None), at=put(world.at, place, ""), crashes=world.crashes - 1
                ),
            )


def _tick(world: TurnState) -> Iterator[tuple[Any, TurnState]]:
    if not any(world.doing):
        yield (), world._replace(memory=_aged(world.memory))


def _actions() -> tuple[Action, ...]:
    running = Interleaving(
        take=take_turn, act=lambda key, worker: turns.go_on(key, worker, 0, acts=True), lives=lambda key, worker: turns.go_on(key, worker, 0),
        finish=turns.finish,
    )  # fmt: skip

    each = [
        Action(f"{name} {what}", moves)
        for place, name in enumerate(WORKERS)
        for what, moves in (("works", _work(running, place)), ("goes on", going_on(running, _done, (place,))))
    ]
    return (
        *each,
        Action("say that it goes on", partial(_live, running)),
        Action("crash", _crash),
        Action("a second passes", _tick),
    )


_FAIR = (*(f"{name} {what}" for name in WORKERS for what in ("works", "goes on")), "a second passes")


def _turn(world: TurnState) -> Turn:
    found: Turn = world.memory.get(TURNS, KEY)
    return found


def _pieces(world: TurnState) -> list[Piece]:
    return list(world.memory.table(DELIVERY).values())


def _answers(world: TurnState) -> list[str]:
    return [piece.body for piece in _pieces(world)]


def _over(world: TurnState) -> bool:
    return _turn(world).phase in (TurnPhase.DONE, TurnPhase.INTERRUPTED)


_INVARIANTS = (
    Invariant("acts-once", "no tool runs twice for one event, whichever workers crash or are slow", lambda world: world.acted > 0, lambda world: world.acted == 1),
    Invariant("one-answer", "an event has one answer, or one notice that it was interrupted", lambda world: bool(_answers(world)),
              lambda world: len(_answers(world)) == 1),
    Invariant("answered-if-done", "a turn is finished if and only if its answer is on disk", lambda world: _over(world) or bool(_answers(world)),
              lambda world: laws.answered_if_over(_turn(world), _pieces(world))),
    Invariant("told-is-kept", "an answer that was confirmed to a worker is stored", lambda world: bool(world.finished),
              lambda world: _turn(world).phase is TurnPhase.DONE and _answers(world) == [f"{ANSWER} by {world.finished}"]),
    Invariant("interrupted-is-told", "the speaker is informed of an interrupted turn, and of no other",
              lambda world: _turn(world).phase is TurnPhase.INTERRUPTED, lambda world: laws.interrupted_is_told(_turn(world), _pieces(world))),
    Invariant("acting-is-kept-first", "before a tool runs, the disk records that it may have run", lambda world: "acts" in world.at,
              lambda world: laws.turn_kept_first(_turn(world))),
    Invariant("its-own-stream", "an answer goes to the conversation of its event, with its trace and session", lambda world: bool(_answers(world)),
              lambda world: all(laws.own_stream(TURN, EVENT, one) for one in _pieces(world))),
)  # fmt: skip
_EVENTUALLY = (
    Eventually(
        "ends", "every accepted event is eventually answered or reported as interrupted", lambda _: True, _over, _FAIR
    ),
)


def _lost_waits(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Turn, event: Any) -> Any:
        turn, counted = real(known, event)
        return (turn._replace(phase=TurnPhase.WAITING) if isinstance(event, WorkerLost) and counted else turn), counted

    return step


def _whatever_phase(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Turn, event: Any) -> Any:
        ends = isinstance(event, turns.Finish)
        return real(known._replace(phase=TurnPhase.TAKEN, worker=event.worker) if ends else known, event)

    return step


def _no_lease(real: Callable[..., Any]) -> Callable[..., Any]:
    def take(worker: str, now: int, lane: str, most: int) -> Any:
        operation, answer = real(worker, now, lane, most), None
        while True:
            try:
                asked = operation.send(answer)
            except StopIteration as end:
                return end.value
            answer = yield (asked._replace(due=None) if isinstance(asked, Write) and asked.table == TURNS else asked)

    return take


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("repeats acting", "acts-once", Patch(turns, "step", _lost_waits)),
        Mutant("does not write that it acts", "acts-once", Patch(turns, "go_on", without_writing(TURNS))),
        Mutant("tries for ever", "ends", Patch(turns, "step",
            lambda real: lambda known, event: real(known._replace(tries=0), event))),
        Mutant("ends a turn of another", "told-is-kept", Patch(turns, "step", _whatever_phase)),
        Mutant("answers for each who finishes", "one-answer",
            Patch(turns, "_ended", lambda real: lambda key, turn, now, answers: real(key, turn, now, (*answers, *answers)))),
        Mutant("keeps no answer", "answered-if-done", Patch(turns, "finish", without_writing(DELIVERY))),
        Mutant("keeps answers in a step of their own", "answered-if-done", Patch(turns, "finish", without_transaction)),
        Mutant("says that it is done when it was interrupted", "interrupted-is-told", Patch(turns, "_ended",
            lambda real: lambda key, turn, now, answers: real(key, turn, now, tuple(one._replace(body=ANSWER) for one in answers)))),
        Mutant("tells nobody", "interrupted-is-told", Patch(turns, "_ended",
            lambda real: lambda key, turn, now, answers: real(key, turn, now, answers if turn.phase is TurnPhase.DONE else ()))),
        Mutant("writes nothing before it acts", "acting-is-kept-first", Patch(turns, "go_on", without_writing(TURNS))),
        Mutant("answers somebody else", "its-own-stream", Patch(turns, "back_to",
            lambda real: lambda event: real(event._replace(place=event.place._replace(peer="bob"))))),
        Mutant("looks for nobody who is lost", "ends", Patch(turns, "take_many", _no_lease)),
    )  # fmt: skip
    constants = (Patch(turns, "LEASE", lambda _: 1), Patch(turns, "MOST_TRIES", lambda _: 2))
    return Model(
        "turns", "a crash can repeat thinking but never actions; every event is answered once or reported as interrupted",
        (_BEGUN,), _actions, _INVARIANTS, _over, mutants, _EVENTUALLY, constants=constants,
    )  # fmt: skip
