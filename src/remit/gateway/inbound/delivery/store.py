"""Deliveries, kept: one operation for each event. Who takes a piece has it for a while; one that nobody finished is lost.

What goes to one place goes there in its order (stores/lines.py): while a piece waits to be tried again, those behind it wait too.
"""

from __future__ import annotations

from remit.gateway.inbound.delivery.life import OVER, Event, Lost, Phase, Piece, Take, line_of, pause_after, step
from remit.gateway.inbound.stores.lines import join, leave
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Operation, Read, Write

TABLE = "delivery"
UNKNOWN = "I do not know whether my last message reached you: I was interrupted while I sent it. If it is missing, please ask again."
MOST_NOTICES = (
    8  # words about one piece, of which each may be lost as the piece was; each waits longer than the one before
)
_NOTICE = "\x1funknown"  # at the end of a key: a word about the piece with the key before it
LEASE = 120  # seconds; longer than any sending may take
KEPT = 7 * 24 * 3600  # seconds that the end of a piece is remembered, for who asks what became of it


def kept(key: str, piece: Piece, now: int) -> Write:
    """How a piece is written: when it is to be looked at next, and until when it is remembered."""
    due = {Phase.WAITING: piece.after, Phase.TAKEN: now + LEASE}.get(piece.phase)
    return Write(TABLE, key, piece, due, now + KEPT if piece.phase in OVER else None)


def queue(key: str, piece: Piece, now: int) -> Operation[None]:
    """Within an operation: a new piece, behind all that go to the same place."""
    first = yield from join(line_of(piece.route), key)
    made = kept(key, piece, now)
    yield made if first else made._replace(due=None)


def _is_told(key: str, piece: Piece) -> bool:
    """Of answers, and of words about them: a stranger is sent its code and nothing else."""
    return (bool(piece.session) or _NOTICE in key) and key.count(_NOTICE) < MOST_NOTICES


def _changed(key: str, piece: Piece, now: int) -> Operation[None]:
    """Keep how far a piece has come; when it is over, the one behind it is due. Of one that is unknown, whom it was for is told."""
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
    """What is due: taken by this worker and to be sent, or found lost and told as `unknown`."""
    yield Begin()
    found = yield from _taken(worker, now)
    yield Commit()
    return found


def take_many(worker: str, now: int, most: int) -> Operation[list[tuple[str, Piece]]]:
    """The same of at most so many."""
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
    """What a worker found out; whether it counted."""
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
    """How far a piece has come."""
    found: Piece | None = yield Read(TABLE, key)
    return found
