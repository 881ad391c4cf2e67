"""What came in, whatever platform it came by. Channels make these after they checked the signature of the platform."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Place


class What(StrEnum):
    """What happened."""

    SAID = "said"
    EDITED = "edited"
    DELETED = "deleted"
    REACTED = "reacted"


class Attachment(NamedTuple):
    """A file that came with something that was said. All of it is the sender's or the platform's word."""

    name: str
    kind: str  # media type
    size: int  # bytes; 0 if it was not told
    source: str  # the platform's name for it, by which it is fetched


class Event(NamedTuple):
    """One thing that happened on a platform."""

    place: Place
    what: What
    text: str
    message: str  # the platform's name for the message that this is, or is about
    event: str = ""  # the platform's name for this event; some send none
    trace: str = ""  # the platform's name for the request that brought it
    digest: str = ""  # of what the platform sent, without what changes with a retry
    part: int = 0  # of an event that has several
    mentioned: bool = False  # the platform itself says that we were named
    roles: frozenset[str] = frozenset()  # those the platform says that the speaker has there
    machine: bool = False  # said by a program, as far as the platform says
    behind: str = ""  # who really speaks, where a program speaks for a person and the platform vouches for it
    back: str = ""  # where the platform wants an answer, if that is neither the room nor the person
    name: str = ""  # what the speaker is called there: anybody may choose any name
    files: tuple[Attachment, ...] = ()
