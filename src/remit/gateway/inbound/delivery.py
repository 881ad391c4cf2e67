"""Sending of answers, at most once: the state machine of one piece, and the store of all of them.

    waiting --take--> taken, by one worker --sent--> sent
                      taken --failed: certainly not sent--> waiting, later; after the last try: given up
                      taken --lost: possibly sent--> unknown, and never sent again

The store records that a worker took a piece before it is sent, so that a crash leads to `unknown` and not to a second
sending. The destination is fixed when the piece is created. A worker leases a piece; one whose lease expires is lost.
Pieces for the same destination are sent in order (stores/operations.py): while one waits for a retry, those behind it
wait too.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.routing import ConversationKind
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Operation, Read, Write, join, leave
from remit.gateway.inbound.stores.serialization import key_of

MOST_TRIES = 5
FIRST_PAUSE = 2  # seconds; doubled with each try
LONGEST_PAUSE = 300


class PiecePhase(StrEnum):
    """The state of a piece."""

    WAITING = "waiting"
    TAKEN = "taken"
    SENT = "sent"
    GIVEN_UP = "given-up"
    UNKNOWN = "unknown"


OVER = (PiecePhase.SENT, PiecePhase.GIVEN_UP, PiecePhase.UNKNOWN)


class Route(NamedTuple):
    """The destination."""

    channel: str
    account: str
    to: str
    thread: str = ""
    kind: ConversationKind = ConversationKind.DIRECT  # whether `to` names a person or a room: both may have the same id


def line_of(route: Route) -> str:
    """Return the ordering key: pieces for the same destination are sent in order."""
    return key_of(("to", *route))


class Piece(NamedTuple):
    """A piece to be sent, and its state."""

    session: str
    route: Route
    body: str
    trace: str  # trace of the event that it answers
    phase: PiecePhase = PiecePhase.WAITING
    tries: int = 0
    after: int = 0  # not sent before this time
    worker: str = ""
    replaces: str = ""  # an earlier message of ours to replace; empty: a new message


class Take(NamedTuple):
    """A worker takes the piece."""

    worker: str


class SentConfirmed(NamedTuple):
    """The platform confirmed it."""

    worker: str


class NotSent(NamedTuple):
    """It was certainly not sent. `pause`: the pause that the platform requests."""

    worker: str
    pause: int = 0


class MaybeSent(NamedTuple):
    """The worker is gone or got no answer: it may have been sent."""

    worker: str


PieceEvent: TypeAlias = "Take | SentConfirmed | NotSent | MaybeSent"


def step(known: Piece, event: PieceEvent, now: int) -> tuple[Piece, bool]:
    """Return the piece after an event, and whether the event applied."""
    if isinstance(event, Take):
        if known.phase is not PiecePhase.WAITING or now < known.after:
            return known, False
        return known._replace(phase=PiecePhase.TAKEN, tries=known.tries + 1, worker=event.worker), True
    if known.phase is not PiecePhase.TAKEN or known.worker != event.worker:
        return known, False
    match event:
        case SentConfirmed():
            return known._replace(phase=PiecePhase.SENT, worker=""), True
        case MaybeSent():
            return known._replace(phase=PiecePhase.UNKNOWN, worker=""), True
        case NotSent(_, pause):
            if known.tries >= MOST_TRIES:
                return known._replace(phase=PiecePhase.GIVEN_UP, worker=""), True
            return known._replace(
                phase=PiecePhase.WAITING, worker="", after=now + max(pause, pause_after(known.tries))
            ), True


def pause_after(tries: int) -> int:
    """Return the pause in seconds after so many tries."""
    return int(min(FIRST_PAUSE << (tries - 1), LONGEST_PAUSE))


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
    due = {PiecePhase.WAITING: piece.after, PiecePhase.TAKEN: now + LEASE}.get(piece.phase)
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
    if piece.phase is PiecePhase.UNKNOWN and _is_told(key, piece):
        again = key.count(_NOTICE)
        notice = Piece("", piece.route, UNKNOWN, piece.trace, after=now + pause_after(again) if again else 0)
        yield from queue(key + _NOTICE, notice, now)
    if piece.phase in OVER:
        behind = yield from leave(line_of(piece.route), key)
        if behind is not None:
            yield kept(behind, (yield Read(TABLE, behind)), now)


def take_many(worker: str, now: int, most: int) -> Operation[list[tuple[str, Piece]]]:
    """Take up to so many due pieces for this worker; one whose lease expired is returned as `unknown`."""
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
    piece, _ = step(known, MaybeSent(known.worker) if known.phase is PiecePhase.TAKEN else Take(worker), now)
    yield from _changed(key, piece, now)
    return key, piece


def apply(key: str, event: PieceEvent, now: int) -> Operation[bool]:
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
