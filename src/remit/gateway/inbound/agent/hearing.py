"""An event in the words in which an agent hears it.

In a group each message begins with a line that names its speaker, `[from "Anna" (70001)]`, which nobody can write: a line of a text that
begins so is moved by a sign. One about an earlier message says so: a deletion has no words of its own.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from remit.gateway.inbound.channels.quarantine import Kept, safe_name
from remit.gateway.inbound.ingress.event import What
from remit.gateway.inbound.ingress.gate import speaker_of
from remit.gateway.inbound.routing.message import Kind

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Attachment, Event

_BEFORE = {
    What.EDITED: "[in place of what I said before] ",
    What.DELETED: "[I took back what I said before]",
    What.REACTED: "[about what was said before] ",
}
_LINES = re.compile(r"(^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])(?=[^\w\[\n\r]*\[\W*(?:from|file)\b)", re.IGNORECASE)
_MOST_NAME = 64


def words_of(event: Event) -> str:
    """What the agent hears."""
    words = _BEFORE.get(event.what, "") + _LINES.sub(r"\1| ", event.text)
    return f"{speaker_line(event)}\n{words}" if event.place.kind is Kind.GROUP else words


def speaker_line(event: Event) -> str:
    """Who speaks: the name is the speaker's choice, what stands behind it is the platform's word."""
    name = "".join(one for one in event.name if one.isprintable())[:_MOST_NAME]
    shown = f"{json.dumps(name, ensure_ascii=False)} " if name else ""
    return f"[from {shown}({speaker_of(event)})]"


def file_line(file: Attachment, kept: Kept | str) -> str:
    """What became of an attached file: where it is, or why it was not taken."""
    name = json.dumps(safe_name(file.name), ensure_ascii=False)
    if isinstance(kept, str):
        return f"[file {name} was not taken: {kept}]"
    return f"[file {name}, {kept.size} bytes, looks like {kept.found}, untrusted, in quarantine at {kept.path}]"
