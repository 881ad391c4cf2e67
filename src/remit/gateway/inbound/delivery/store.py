"""Delivery store: one operation for each event. A worker leases a piece; one whose lease expires is lost.

Pieces for the same destination are sent in order (stores/ordering.py): while one waits for a retry, those behind it wait
too.
"""

from __future__ import annotations

from remit.gateway.inbound.delivery.state_machine import (
    OVER,
    Event,
    Lost,
    Phase,
    Piece,
    Take,
    line_of,
    pause_after,
    step,
)
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Operation, Read, Write
from remit.gateway.inbound.stores.ordering import join, leave

TABLE = "delivery"
UNKNOWN = "I do not know whether my last message reached you: I was interrupted while I sent it. If it is missing, please ask again."
MOST_NOTICES = (
    8  # notices about one piece, each of which may be lost as the piece was; each waits longer than the one before
)
_NOTICE = "\x1funknown"  # suffix of a key: a notice about the piece with the key before it
LEASE = 120  # seconds; longer than any sending takes
KEPT = 7 * 24 * 3600  # seconds that the end of a piece is kept for queries


def kept(key: str, piece: Piece, now: int) -> Write:
    """Return the write for a piece, with its next due time and its expiry."""
    due = {Phase.WAITING: piece.after, Phase.TAKEN: now + LEASE}.get(piece.phase)
    return Write(TABLE, key, piece, due, now + KEPT if piece.phase in OVER else None)


def queue(key: str, piece: Piece, now: int) -> Operation[None]:
    """Within an operation: add a piece behind all others for its destination."""
    first = yield from join(line_of(piece.route), key)
    made = kept(key, piece, now)
    yield made if first else made._replace(due=None)


def _is_told(key: str, piece: Piece) -> bool:
    """Return whether to send a notice: for answers and notices, but not for pairing codes."""
    return (bool(piece.session) or _NOTICE in key) and key.count(_NOTICE) < MOST_NOTICES


def _changed(key: str, piece: Piece, now: int) -> Operation[None]:
    """Store a piece's state; when it is over, the next one becomes due.

    If the outcome is unknown, queue a notice to the recipient.
    """
    yield kept(key, piece, now)
    if piece.phase is Phase.UNKNOWN and _is_told(key, piece):
        again = key.count(_NOTICE)
        notice = Piece("", piece.route, UNKNOWN, piece.trace, after=now + pause_after(again) if again else 0)
        yield from queue(key + _NOTICE, notice, now)
    if piece.phase in OVER:
        behind = yield from leave(line_of(piece.route), key)
        if behind is not None:
            yield kept(behind, (yield Read(TABLE, behind)), now)


def take(worker: str, now: int) -> Operation[tuple[str, Piece] | None]:
    """Take one due piece for this worker; one whose lease expired is returned as `unknown`."""
    yield Begin()
    found = yield from _taken(worker, now)
    yield Commit()
    return found


def take_many(worker: str, now: int, most: int) -> Operation[list[tuple[str, Piece]]]:
    """Take up to so many due pieces."""
    yield Begin()
    taken: list[tuple[str, Piece]] = []
    while len(taken) < most and (one := (yield from _taken(worker, now))) is not None:
        taken.append(one)
    yield Commit()
    return taken


def _taken(worker: str, now: int) -> Operation[tuple[str, Piece] | None]:
    found: tuple[str, Piece] | None = yield Next(TABLE, now)
    if found is None:
        return None
    key, known = found
    piece, _ = step(known, Lost(known.worker) if known.phase is Phase.TAKEN else Take(worker), now)
    yield from _changed(key, piece, now)
    return key, piece


def apply(key: str, event: Event, now: int) -> Operation[bool]:
    """Apply an event of a worker; return whether it applied."""
    yield Begin()
    known: Piece | None = yield Read(TABLE, key)
    counted = False
    if known is not None:
        piece, counted = step(known, event, now)
        if counted:
            yield from _changed(key, piece, now)
    yield Commit()
    return counted


def look(key: str) -> Operation[Piece | None]:
    """Return the stored state of a piece."""
    found: Piece | None = yield Read(TABLE, key)
    return found
