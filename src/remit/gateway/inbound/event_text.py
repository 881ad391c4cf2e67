"""What an agent reads: events as text, with the messages of a room before the agent was mentioned.

In a group each message begins with a line that names its speaker, `[from "Anna" (70001)]`. It cannot be forged: a mark
is put before lines of a message that begin so. A text about an earlier message says so; a deletion has no text of its
own.

Without the messages before, "what do you think of that?" has no meaning. Only those of people accepted in that room are
kept: the last lines of each session, for a day. The agent gets them once, with the next message that mentions it. They
are other people's words, so that turn is tainted.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from remit.gateway.inbound.channels.quarantine import QuarantinedFile, safe_name
from remit.gateway.inbound.events import Attachment, Event, What, speaker_of
from remit.gateway.inbound.routing import ConversationKind
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


_BEFORE = {
    What.EDITED: "[in place of what I said before] ",
    What.DELETED: "[I took back what I said before]",
    What.REACTED: "[about what was said before] ",
}
_LINES = re.compile(
    r"(^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])(?=[^\w\[\n\r]*\[\W*(?:from|file|earlier|now)\b)", re.IGNORECASE
)
_MOST_NAME = 64
_EMPTY = Room()
EARLIER, NOW = "[earlier in this room, not to you]", "[now, to you]"


def words_of(event: Event, room: Room = _EMPTY) -> str:
    """Return the text that the agent gets. `room`: earlier messages there that were not for the agent."""
    words = _BEFORE.get(event.what, "") + marked(event.text)
    if event.place.kind is not ConversationKind.GROUP:
        return words
    before = [f"{speaker_line(one.name, one.speaker)}\n{marked(one.text)}" for one in room.lines]
    now = f"{speaker_line(event.name, speaker_of(event))}\n{words}"
    return "\n".join((EARLIER, *before, NOW, now)) if before else now


def marked(text: str) -> str:
    """Return a text in which no line looks like one of the gateway's."""
    return _LINES.sub(r"\1| ", text)


def speaker_line(name: str, speaker: str) -> str:
    """Return the line that names a speaker: the speaker chose the name; the id after it comes from the platform."""
    name = "".join(one for one in name if one.isprintable())[:_MOST_NAME]
    shown = f"{json.dumps(name, ensure_ascii=False)} " if name else ""
    return f"[from {shown}({speaker})]"


def file_line(file: Attachment, kept: QuarantinedFile | str) -> str:
    """Return the line about an attachment: its location, or why it was not accepted."""
    name = json.dumps(safe_name(file.name), ensure_ascii=False)
    if isinstance(kept, str):
        return f"[file {name} was not taken: {kept}]"
    return f"[file {name}, {kept.size} bytes, looks like {kept.found}, untrusted, in quarantine at {kept.path}]"
