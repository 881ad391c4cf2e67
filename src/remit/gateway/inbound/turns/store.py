"""Turn store. The end of a turn and its answers are written together: exactly the turns that end get an answer.

A turn that waits for a person is suspended with its conversation so far: question, messages and pause are written
together. The person's answer wakes it in the same operation. A worker leases a turn and renews the lease; a turn whose
lease expires is lost. Turns of a session run in order (stores/ordering.py): the next is due when the one before is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from remit.gateway.inbound.delivery.state_machine import Piece, Route
from remit.gateway.inbound.delivery.store import queue
from remit.gateway.inbound.ingress.store import HEARD
from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Operation, Read, Write
from remit.gateway.inbound.stores.ordering import leave
from remit.gateway.inbound.turns.state_machine import (
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
    from remit.gateway.inbound.agent.conversation import Pause
    from remit.gateway.inbound.ingress.event import Event

PAUSES = "pauses"
TURN_LOST = "TURN_LOST"  # refusal of a suspension: another worker has the turn
LEASE = 120  # seconds
KEPT = 24 * 3600  # seconds that the end of a turn is kept for queries
Taken: TypeAlias = "tuple[str, Turn, Event]"
INTERRUPTED = "I was interrupted while I worked on this, and do not know how far it came. Please look, and ask again."


def take(worker: str, now: int, lane: str = TURNS) -> Operation[Taken | None]:
    """Take one due turn of a lane for this worker.

    One whose lease expired is returned as waiting again, or as interrupted with a notice to its speaker.
    """
    yield Begin()
    taken = yield from _taken(worker, now, lane)
    yield Commit()
    return taken


def take_many(worker: str, now: int, lane: str, most: int) -> Operation[list[Taken]]:
    """Take up to so many due turns."""
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
    """Renew a worker's lease; `acts`: a tool is about to run. If False, the worker must stop."""
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
    """Suspend a turn that must wait for a person; return the reason code if it is refused.

    `asks`: operation that stores the question, together with the pause. `due`: when the turn continues, with or without
    an answer.
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
    """Within an operation: continue a suspended turn."""
    known: Turn | None = yield Read(TURNS, key)
    if known is not None and known.phase is Phase.SUSPENDED:
        yield Write(TURNS, key, known, now)


def paused(key: str) -> Operation[Pause | None]:
    """Return the state of a suspended turn."""
    found: Pause | None = yield Read(PAUSES, key)
    return found


def finish(
    key: str, worker: str, now: int, answers: tuple[Piece, ...], also: tuple[Write, ...] = (), lane: str = TURNS
) -> Operation[bool]:
    """End a turn and store its answers; return whether the worker still had it. `also`: further writes."""
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
    """Return a turn, or None."""
    found: Turn | None = yield Read(TURNS, key)
    return found


def back_to(event: Event) -> Route:
    """Return where an answer to an event goes: where it was sent, or where the platform requests it."""
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
