"""One piece that is to be sent, as a pure step.

    waiting --take--> taken, by one worker --sent--> sent
                      taken --failed: it did not go out for certain--> waiting, later; after the last try: given up
                      taken --lost: nobody knows whether it went out--> unknown, and never sent again

That a worker took it is on the disk before anything goes out, so that a crash leads to `unknown` and not to a second sending.
Where it goes is fixed when it is made.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.forms import key_of

MOST_TRIES = 5
FIRST_PAUSE = 2  # seconds; doubled with every try
LONGEST_PAUSE = 300


class Phase(StrEnum):
    """How far it has come."""

    WAITING = "waiting"
    TAKEN = "taken"
    SENT = "sent"
    GIVEN_UP = "given-up"
    UNKNOWN = "unknown"


OVER = (Phase.SENT, Phase.GIVEN_UP, Phase.UNKNOWN)


class Route(NamedTuple):
    """Where it goes."""

    channel: str
    account: str
    to: str
    thread: str = ""
    kind: Kind = Kind.DIRECT  # whether `to` names a person or a room: both may have the same name


def line_of(route: Route) -> str:
    """What comes one after the other: everything that goes to one place."""
    return key_of(("to", *route))


class Piece(NamedTuple):
    """What is to be sent, and how far it has come."""

    session: str
    route: Route
    body: str
    trace: str  # of the event that it answers
    phase: Phase = Phase.WAITING
    tries: int = 0
    after: int = 0  # not sent before this time
    worker: str = ""
    replaces: str = ""  # a message of ours, in whose place it is put; nothing: it is a new one


class Take(NamedTuple):
    """A worker wants to send it."""

    worker: str


class Sent(NamedTuple):
    """The platform has it."""

    worker: str


class Failed(NamedTuple):
    """It did not go out, for certain. `pause`: how long the platform wants to be left alone."""

    worker: str
    pause: int = 0


class Lost(NamedTuple):
    """A worker is gone, or got no answer: whether it went out is not known."""

    worker: str


Event: TypeAlias = "Take | Sent | Failed | Lost"


def step(known: Piece, event: Event, now: int) -> tuple[Piece, bool]:
    """What is there after an event, and whether it counted."""
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
    """How long to wait after so many tries."""
    return int(min(FIRST_PAUSE << (tries - 1), LONGEST_PAUSE))
