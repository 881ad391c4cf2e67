"""Turns, kept. The end of a turn and its answers are written together: an answer goes out for each turn that is done, and for no other.

Who takes a turn has it for a while, and says from time to time that it goes on; a turn that nobody goes on with is lost. Turns of one
session come one after the other (stores/lines.py): the next is due when the one before it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.gateway.inbound.delivery.life import Piece, Route
from remit.gateway.inbound.delivery.store import queue
from remit.gateway.inbound.ingress.store import HEARD, TURNS
from remit.gateway.inbound.stores.lines import leave
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Read, Write
from remit.gateway.inbound.turns.life import Act, Finish, Lost, Phase, Take, Turn, line_of, step

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event
    from remit.gateway.inbound.stores.operations import Operation

LEASE = 120  # seconds
KEPT = 24 * 3600  # seconds that the end of a turn is remembered, for who asks what became of it
INTERRUPTED = "I was interrupted while I worked on this, and do not know how far it came. Please look, and ask again."


def take(worker: str, now: int) -> Operation[tuple[str, Turn, Event] | None]:
    """What is due: taken by this worker, or found lost: then it waits again, or is over and its speaker is told."""
    yield Begin()
    found: tuple[str, Turn] | None = yield Next(TURNS, now)
    taken = None
    if found is not None:
        key, known = found
        event: Event = yield Read(HEARD, key)
        if known.phase is Phase.WAITING:
            turn, _ = step(known, Take(worker))
            yield Write(TURNS, key, turn, now + LEASE)
        else:
            turn, _ = step(known, Lost(known.worker))
            if turn.phase is Phase.WAITING:
                yield Write(TURNS, key, turn, now)
            else:
                notice = Piece(turn.session, back_to(event), INTERRUPTED, turn.trace)
                yield from _ended(key, turn, now, (notice,))
        taken = key, turn, event
    yield Commit()
    return taken


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


def finish(
    key: str, worker: str, now: int, answers: tuple[Piece, ...], also: tuple[Write, ...] = ()
) -> Operation[bool]:
    """The agent has done; its answers are kept with that, and whatever else is to be."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
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
    return Route(place.channel, place.account, event.back or place.room or place.peer, place.thread)


def _ended(key: str, turn: Turn, now: int, answers: tuple[Piece, ...]) -> Operation[None]:
    yield Write(TURNS, key, turn, until=now + KEPT)
    yield Write(HEARD, key, None)
    for number, answer in enumerate(answers):
        yield from queue(f"{key}\x1f{number:04}", answer, now)
    behind = yield from leave(line_of(turn), key)
    if behind is not None:
        yield Write(TURNS, behind, (yield Read(TURNS, behind)), now)
