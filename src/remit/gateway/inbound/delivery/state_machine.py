"""State machine of one piece to be sent, as a pure function.

    waiting --take--> taken, by one worker --sent--> sent
                      taken --failed: certainly not sent--> waiting, later; after the last try: given up
                      taken --lost: possibly sent--> unknown, and never sent again

The store records that a worker took a piece before it is sent, so that a crash leads to `unknown` and not to a second
sending. The destination is fixed when the piece is created.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.serialization import key_of

MOST_TRIES = 5
FIRST_PAUSE = 2  # seconds; doubled with each try
LONGEST_PAUSE = 300


class Phase(StrEnum):
    """The state of a piece."""

    WAITING = "waiting"
    TAKEN = "taken"
    SENT = "sent"
    GIVEN_UP = "given-up"
    UNKNOWN = "unknown"


OVER = (Phase.SENT, Phase.GIVEN_UP, Phase.UNKNOWN)


class Route(NamedTuple):
    """The destination."""

    channel: str
    account: str
    to: str
    thread: str = ""
    kind: Kind = Kind.DIRECT  # whether `to` names a person or a room: both may have the same id


def line_of(route: Route) -> str:
    """Return the ordering key: pieces for the same destination are sent in order."""
    return key_of(("to", *route))


class Piece(NamedTuple):
    """A piece to be sent, and its state."""

    session: str
    route: Route
    body: str
    trace: str  # trace of the event that it answers
    phase: Phase = Phase.WAITING
    tries: int = 0
    after: int = 0  # not sent before this time
    worker: str = ""
    replaces: str = ""  # an earlier message of ours to replace; empty: a new message


class Take(NamedTuple):
    """A worker takes the piece."""

    worker: str


class Sent(NamedTuple):
    """The platform confirmed it."""

    worker: str


class Failed(NamedTuple):
    """It was certainly not sent. `pause`: the pause that the platform requests."""

    worker: str
    pause: int = 0


class Lost(NamedTuple):
    """The worker is gone or got no answer: it may have been sent."""

    worker: str


Event: TypeAlias = "Take | Sent | Failed | Lost"


def step(known: Piece, event: Event, now: int) -> tuple[Piece, bool]:
    """Return the piece after an event, and whether the event applied."""
    if isinstance(event, Take):
        if known.phase is not Phase.WAITING or now < known.after:
            return known, False
        return known._replace(phase=Phase.TAKEN, tries=known.tries + 1, worker=event.worker), True
    if known.phase is not Phase.TAKEN or known.worker != event.worker:
        return known, False
    match event:
        case Sent():
            return known._replace(phase=Phase.SENT, worker=""), True
        case Lost():
            return known._replace(phase=Phase.UNKNOWN, worker=""), True
        case Failed(_, pause):
            if known.tries >= MOST_TRIES:
                return known._replace(phase=Phase.GIVEN_UP, worker=""), True
            return known._replace(
                phase=Phase.WAITING, worker="", after=now + max(pause, pause_after(known.tries))
            ), True


def pause_after(tries: int) -> int:
    """Return the pause in seconds after so many tries."""
    return int(min(FIRST_PAUSE << (tries - 1), LONGEST_PAUSE))
