"""Deliveries, kept: one operation for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.gateway.inbound.delivery.life import OVER, Phase, Piece, Take, step
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Read, Write

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.life import Event
    from remit.gateway.inbound.stores.operations import Operation

TABLE = "delivery"
KEPT = 7 * 24 * 3600  # seconds that the end of a piece is remembered, for who asks what became of it


def due_of(piece: Piece) -> int | None:
    """From when on somebody may take it."""
    return piece.after if piece.phase is Phase.WAITING else None


def take(worker: str, now: int) -> Operation[tuple[str, Piece] | None]:
    """What is to be sent next, taken by this worker."""
    yield Begin()
    found: tuple[str, Piece] | None = yield Next(TABLE, now)
    taken = None
    if found is not None:
        piece, counted = step(found[1], Take(worker), now)
        if counted:
            yield Write(TABLE, found[0], piece, due_of(piece))
            taken = found[0], piece
    yield Commit()
    return taken


def apply(key: str, event: Event, now: int) -> Operation[bool]:
    """What a worker found out; whether it counted."""
    yield Begin()
    known: Piece | None = yield Read(TABLE, key)
    counted = False
    if known is not None:
        piece, counted = step(known, event, now)
        if counted:
            yield Write(TABLE, key, piece, due_of(piece), now + KEPT if piece.phase in OVER else None)
    yield Commit()
    return counted
