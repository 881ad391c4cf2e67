"""Events as text for the agent.

In a group each message begins with a line that names its speaker, `[from "Anna" (70001)]`. It cannot be forged: a mark
is put before lines of a message that begin so. A text about an earlier message says so; a deletion has no text of its
own.
"""

from __future__ import annotations

import json
import re

from remit.gateway.inbound.channels.quarantine import Kept, safe_name
from remit.gateway.inbound.ingress.event import Attachment, Event, What
from remit.gateway.inbound.ingress.gate import speaker_of
from remit.gateway.inbound.room_history import Room
from remit.gateway.inbound.routing.message import Kind

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
    if event.place.kind is not Kind.GROUP:
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


def file_line(file: Attachment, kept: Kept | str) -> str:
    """Return the line about an attachment: its location, or why it was not accepted."""
    name = json.dumps(safe_name(file.name), ensure_ascii=False)
    if isinstance(kept, str):
        return f"[file {name} was not taken: {kept}]"
    return f"[file {name}, {kept.size} bytes, looks like {kept.found}, untrusted, in quarantine at {kept.path}]"
