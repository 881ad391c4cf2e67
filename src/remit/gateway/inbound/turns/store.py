"""Turns, kept. The end of a turn and its answers are written together: an answer goes out for each turn that is done, and for no other.

A turn that waits for a person is suspended with what was said up to there: what is asked, who is told, and the pause are written together.
Whoever answers wakes it in the same operation.

Who takes a turn has it for a while, and says from time to time that it goes on; a turn that nobody goes on with is lost. Turns of one
session come one after the other (stores/lines.py): the next is due when the one before it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from remit.gateway.inbound.delivery.life import Piece, Route
from remit.gateway.inbound.delivery.store import queue
from remit.gateway.inbound.ingress.store import HEARD
from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.lines import leave
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Operation, Read, Write
from remit.gateway.inbound.turns.life import (
    TURNS,
    Act,
    Finish,
    Lost,
    Phase,
    Suspend,
    Take,
    Turn,
    lane_of,
    line_of,
    step,
)

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.talk import Pause
    from remit.gateway.inbound.ingress.event import Event

PAUSES = "pauses"
TURN_LOST = "TURN_LOST"  # why a turn is not suspended: it is another's
LEASE = 120  # seconds
KEPT = 24 * 3600  # seconds that the end of a turn is remembered, for who asks what became of it
Taken: TypeAlias = "tuple[str, Turn, Event]"
INTERRUPTED = "I was interrupted while I worked on this, and do not know how far it came. Please look, and ask again."


def take(worker: str, now: int, lane: str = TURNS) -> Operation[Taken | None]:
    """What is due in a lane: taken by this worker, or found lost: then it waits again, or is over and its speaker is told."""
    yield Begin()
    taken = yield from _taken(worker, now, lane)
    yield Commit()
    return taken


def take_many(worker: str, now: int, lane: str, most: int) -> Operation[list[Taken]]:
    """The same of at most so many."""
    yield Begin()
    taken: list[Taken] = []
    while len(taken) < most and (one := (yield from _taken(worker, now, lane))) is not None:
        taken.append(one)
    yield Commit()
    return taken


def _taken(worker: str, now: int, lane: str) -> Operation[Taken | None]:
    found: tuple[str, Turn] | None = yield Next(lane, now)
    if found is None:
        return None
    key, known = found
    event: Event = yield Read(HEARD, key)
    if known.phase in (Phase.WAITING, Phase.SUSPENDED):
        turn, _ = step(known, Take(worker))
        yield Write(lane, key, turn, now + LEASE)
    else:
        turn, _ = step(known, Lost(known.worker))
        if turn.phase is Phase.WAITING:
            yield Write(lane, key, turn, now)
        else:
            notice = Piece(turn.session, back_to(event), INTERRUPTED, turn.trace)
            yield from _ended(key, turn, now, (notice,))
    return key, turn, event


def go_on(key: str, worker: str, now: int, *, acts: bool = False) -> Operation[bool]:
    """A worker still has it; `acts`: a tool is about to run. If it does not count, the worker must stop."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    counted = False
    if known is not None and known.phase in (Phase.TAKEN, Phase.ACTING) and known.worker == worker:
        counted = True
        turn = step(known, Act(worker))[0] if acts else known
        yield Write(TURNS, key, turn, now + LEASE)
    yield Commit()
    return counted


def suspend(key: str, worker: str, pause: Pause, due: int, asks: Operation[str]) -> Operation[str]:
    """A tool must wait for a person. `asks`: what is asked of whom, kept together with the pause; the code of a refusal if it is refused.

    `due`: when it goes on whatever a person says, or says not.
    """
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    turn, counted = step(known, Suspend(worker)) if known is not None else (None, False)
    refused = TURN_LOST
    if counted:
        refused = yield from asks
    if not refused:
        yield Write(TURNS, key, turn, due)
        yield Write(PAUSES, key, pause, until=due + KEPT)
    yield Commit()
    return refused


def wake(key: str, now: int) -> Operation[None]:
    """Within an operation: what a turn waited for has come."""
    known: Turn | None = yield Read(TURNS, key)
    if known is not None and known.phase is Phase.SUSPENDED:
        yield Write(TURNS, key, known, now)


def paused(key: str) -> Operation[Pause | None]:
    """What was said up to where a turn had to wait."""
    found: Pause | None = yield Read(PAUSES, key)
    return found


def finish(
    key: str, worker: str, now: int, answers: tuple[Piece, ...], also: tuple[Write, ...] = (), lane: str = TURNS
) -> Operation[bool]:
    """The agent has done; its answers are kept with that, and whatever else is to be."""
    yield Begin()
    known: Turn | None = yield Read(lane, key)
    counted = False
    if known is not None:
        turn, counted = step(known, Finish(worker))
        if counted:
            yield from _ended(key, turn, now, answers)
            yield from also
    yield Commit()
    return counted


def look(key: str) -> Operation[Turn | None]:
    """How far a turn has come."""
    found: Turn | None = yield Read(TURNS, key)
    return found


def back_to(event: Event) -> Route:
    """Where an answer to an event goes: to where it was said, or where the platform wants it."""
    place = event.place
    to = place.room if place.kind is Kind.GROUP else place.peer
    return Route(place.channel, place.account, event.back or to, place.thread, place.kind)


def _ended(key: str, turn: Turn, now: int, answers: tuple[Piece, ...]) -> Operation[None]:
    lane = lane_of(turn)
    yield Write(lane, key, turn, until=now + KEPT)
    yield Write(HEARD, key, None)
    for number, answer in enumerate(answers):
        yield from queue(f"{key}\x1f{number:04}", answer, now)
    behind = yield from leave(line_of(turn), key)
    if behind is not None:
        yield Write(lane, behind, (yield Read(lane, behind)), now)
