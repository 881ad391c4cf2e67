"""Messages in a room before the agent is mentioned: without them, "what do you think of that?" has no meaning.

Only messages of people accepted in that room are kept: the last lines of each session, for a day. The agent gets them
once, with the next message that mentions it. They are other people's words, so that turn is tainted.
"""

from __future__ import annotations

from typing import NamedTuple

from remit.gateway.inbound.ingress.event import Event, What
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write

TABLE = "rooms"
MOST_LINES, MOST_TEXT = 20, 1000  # characters of a line
KEPT = 24 * 3600  # seconds


class Line(NamedTuple):
    """One message: the platform's id, the speaker, and the speaker's display name."""

    message: str
    speaker: str
    name: str
    text: str


class Room(NamedTuple):
    """The last lines of a session, the oldest first."""

    lines: tuple[Line, ...] = ()


def remember(session: str, event: Event, speaker: str, now: int) -> Operation[None]:
    """Within an operation: add a line, unless it is already there."""
    known: Room = (yield Read(TABLE, session)) or Room()
    if event.what is What.SAID and event.text and event.message not in [one.message for one in known.lines]:
        line = Line(event.message, speaker, event.name, event.text[:MOST_TEXT])
        yield Write(TABLE, session, Room((*known.lines, line)[-MOST_LINES:]), until=now + KEPT)


def look(session: str) -> Operation[Room]:
    """Return the lines that the agent has not had."""
    found: Room | None = yield Read(TABLE, session)
    return found or Room()


def forget(session: str, heard: Room, now: int) -> Operation[None]:
    """Remove lines that the agent has had; later ones stay."""
    yield Begin()
    known: Room = (yield Read(TABLE, session)) or Room()
    left = Room(tuple(one for one in known.lines if one not in heard.lines))
    yield Write(TABLE, session, left if left.lines else None, until=now + KEPT if left.lines else None)
    yield Commit()
