"""Turns, kept. The end of a turn and its answers are written together: an answer goes out for each turn that is done, and for no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.delivery.store import due_of
from remit.gateway.inbound.ingress.store import HEARD, TURNS
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Read, Write
from remit.gateway.inbound.turns.life import Act, Finish, Lost, Phase, Take, Turn, step

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.life import Piece
    from remit.gateway.inbound.ingress.event import Event
    from remit.gateway.inbound.stores.operations import Operation

KEPT = 24 * 3600  # seconds that the end of a turn is remembered, for who asks what became of it


def take(worker: str, now: int) -> Operation[tuple[str, Turn, Event] | None]:
    """The turn that waits longest, taken by this worker."""
    yield Begin()
    found: tuple[str, Turn] | None = yield Next(TURNS, now)
    taken = None
    if found is not None:
        key, known = found
        turn, counted = step(known, Take(worker))
        event: Event | None = yield Read(HEARD, key)
        if counted and event is not None:
            yield Write(TURNS, key, turn)
            taken = key, turn, event
    yield Commit()
    return taken


def act(key: str, worker: str) -> Operation[bool]:
    """A tool is about to run; whether this worker may go on."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    counted = False
    if known is not None:
        turn, counted = step(known, Act(worker))
        if counted and turn != known:
            yield Write(TURNS, key, turn)
    yield Commit()
    return counted


def finish(key: str, worker: str, now: int, answers: tuple[Piece, ...]) -> Operation[bool]:
    """The agent has done; its answers are kept with that."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    counted = False
    if known is not None:
        turn, counted = step(known, Finish(worker))
        if counted:
            yield from _ended(key, turn, now, answers)
    yield Commit()
    return counted


def lose(key: str, worker: str, now: int, notice: tuple[Piece, ...]) -> Operation[bool]:
    """A worker is gone. What may have been done for the turn is not done again; `notice` tells the speaker."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    counted = False
    if known is not None:
        turn, counted = step(known, Lost(worker))
        if counted and turn.phase is Phase.WAITING:
            yield Write(TURNS, key, turn, now)
        elif counted:
            yield from _ended(key, turn, now, notice)
    yield Commit()
    return counted


def _ended(key: str, turn: Turn, now: int, answers: tuple[Piece, ...]) -> Operation[None]:
    yield Write(TURNS, key, turn, until=now + KEPT)
    yield Write(HEARD, key, None, until=now)
    for number, answer in enumerate(answers):
        yield Write(DELIVERY, f"{key}\x1f{number}", answer, due_of(answer))
