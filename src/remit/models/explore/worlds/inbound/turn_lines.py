"""Model of the turns of one session (`gateway/inbound/turns.py`, `stores/operations.py`): two workers, of one gateway or of two
with one store, while events arrive: two in one session, or in two. `ingress` explores how an event is stored; here
that is instantaneous.

As in `delivery`, the store always says that it is now, and what it keeps comes nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import intake, turns
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.intake import Routed
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.turns import TURNS, Turn, TurnPhase
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    StoredValue,
    at_once,
    going_on,
    memory_of,
    put,
)
from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds.inbound._lines import always_first, leaves_alone, take_turn

WORKERS = ("v", "w")
NAMES = ("e0", "e1")
ANN, BOB = "ann", "bob"
_OVER = (TurnPhase.DONE, TurnPhase.INTERRUPTED)


class TurnLineState(NamedTuple):
    """The store, what goes on, and which turn each worker thinks about."""

    second: str  # who says the second
    memory: Memory = memory_of()
    doing: tuple[Point | None, ...] = (None, None)
    thinks: tuple[str, ...] = ("", "")
    heard: int = 0  # how many events have come in
    crashes: int = 1  # that may still happen


def _aged(kept: Memory) -> Memory:
    """A second later. That an end is forgotten some day is left out."""
    return memory_of(
        {
            key: StoredValue(one.value, None if one.due is None else max(one.due - 1, 0))
            for key, one in kept.rows.items()
        }
    )


def routed(number: int, second: str) -> Routed:
    """The event of this number, where this one says the second."""
    name, who = NAMES[number], (ANN, second)[number]
    event = Event(ChatAddress("chat", "us", ConversationKind.DIRECT, who), What.SAID, "do it", name, name)
    return Routed(event, who, "agent", f"agent/{who}")


def _hear(running: Interleaving) -> Callable[[TurnLineState], Iterator[tuple[Any, TurnLineState]]]:
    def moves(world: TurnLineState) -> Iterator[tuple[Any, TurnLineState]]:
        alone = not any(point is not None and point.began for point in world.doing)
        if alone and world.heard < len(NAMES):
            memory, _ = at_once(running, world.memory, "accept", routed(world.heard, world.second), 0)
            yield NAMES[world.heard], world._replace(memory=memory, heard=world.heard + 1)

    return moves


def _work(running: Interleaving, place: int) -> Callable[[TurnLineState], Iterator[tuple[Any, TurnLineState]]]:
    def moves(world: TurnLineState) -> Iterator[tuple[Any, TurnLineState]]:
        if world.doing[place] is not None:
            return
        if world.thinks[place]:
            begun = running.start("finish", world.thinks[place], WORKERS[place], 0, ())
            yield "answer", world._replace(doing=put(world.doing, place, begun))
        elif world.memory.first(TURNS, 0):
            begun = running.start("take", WORKERS[place], 0)
            yield "take", world._replace(doing=put(world.doing, place, begun))

    return moves


def _done(world: TurnLineState, place: int, call: OperationCall, value: Any) -> TurnLineState:
    mine = call.name == "take" and value is not None and value[1].phase is TurnPhase.TAKEN
    return world._replace(thinks=put(world.thinks, place, value[0] if mine else ""))


def _crash(world: TurnLineState) -> Iterator[tuple[Any, TurnLineState]]:
    for place, worker in enumerate(WORKERS):
        if world.crashes and (world.doing[place] or world.thinks[place]):
            yield (
                worker,
                world._replace(
                    doing=put(world.doing, place, None), thinks=put(world.thinks, place, ""), crashes=world.crashes - 1
                ),
            )


def _tick(world: TurnLineState) -> Iterator[tuple[Any, TurnLineState]]:
    later = world._replace(memory=_aged(world.memory))
    if not any(world.doing) and later != world:
        yield (), later


def _actions() -> tuple[Action, ...]:
    running = Interleaving(accept=intake.accept, take=take_turn, finish=turns.finish)
    each = [
        Action(f"{name} {what}", moves)
        for place, name in enumerate(WORKERS)
        for what, moves in (("works", _work(running, place)), ("goes on", going_on(running, _done, (place,))))
    ]
    return (Action("hear", _hear(running)), *each, Action("crash", _crash), Action("a second passes", _tick))


_FAIR = ("hear", *(f"{name} {what}" for name in WORKERS for what in ("works", "goes on")), "a second passes")


def _turns(world: TurnLineState) -> tuple[Turn | None, ...]:
    """By the number of their events; None for one that is not kept."""
    found = {key.split("\x1f")[3]: turn for key, turn in world.memory.table(TURNS).items()}
    return tuple(map(found.get, NAMES))


def _same(world: TurnLineState) -> bool:
    return world.second == ANN


def _at(turn: Turn | None, *phases: TurnPhase) -> bool:
    return turn is not None and turn.phase in phases


def _all_due(world: TurnLineState) -> bool:
    return all(
        kept.due is not None or kept.value.phase in _OVER
        for (table, _), kept in world.memory.rows.items()
        if table == TURNS
    )


def _ended(world: TurnLineState) -> bool:
    return all(_at(turn, *_OVER) for turn in _turns(world))


_INVARIANTS = (
    Invariant("one-at-a-time", "no two turns of a session run at a time, with any workers and processes",
              lambda world: _same(world) and any(_at(turn, TurnPhase.TAKEN) for turn in _turns(world)) and None not in _turns(world),
              lambda world: not all(_at(turn, TurnPhase.TAKEN) for turn in _turns(world))),
    Invariant("in-their-order", "a turn finishes only after all earlier turns of its session",
              lambda world: _same(world) and _at(_turns(world)[1], *_OVER), lambda world: _at(_turns(world)[0], *_OVER)),
    Invariant("others-do-not-wait", "a turn never waits for another session", lambda world: not _same(world) and world.heard > 1,
              _all_due),
)  # fmt: skip
_EVENTUALLY = (
    Eventually("every-turn-ends", "every event of a session is eventually finished, even if workers die on earlier ones",
               lambda world: world.heard > 1, _ended, _FAIR),
)  # fmt: skip


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("looks at nobody before it", "one-at-a-time", Patch(intake, "join", always_first)),
        Mutant("lets all be due", "in-their-order", Patch(intake, "join", always_first)),
        Mutant("has one line for all", "others-do-not-wait", Patch(intake, "line_of", lambda _: lambda _: "line")),
        Mutant("lets nobody go when it is over", "every-turn-ends", Patch(turns, "leave", leaves_alone)),
    )  # fmt: skip
    constants = (Patch(turns, "LEASE", lambda _: 1), Patch(turns, "MOST_TRIES", lambda _: 2))
    return Model(
        "turn-lines", "turns of one session run one after the other, in order, and do not wait for other sessions",
        (TurnLineState(ANN), TurnLineState(BOB)), _actions, _INVARIANTS, _ended, mutants, _EVENTUALLY, constants=constants,
    )  # fmt: skip
