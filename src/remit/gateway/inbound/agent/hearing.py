"""An event in the words in which an agent hears it. One about an earlier message says so: a deletion has no words of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.gateway.inbound.ingress.event import What

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

_BEFORE = {
    What.EDITED: "[in place of what I said before] ",
    What.DELETED: "[I took back what I said before]",
    What.REACTED: "[about what was said before] ",
}


def words_of(event: Event) -> str:
    """What the agent hears."""
    return _BEFORE.get(event.what, "") + event.text
