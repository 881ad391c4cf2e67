"""Incoming events, whatever the platform. Channels create them after they verified the platform's signature."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Place


class What(StrEnum):
    """The kind of an event."""

    SAID = "said"
    EDITED = "edited"
    DELETED = "deleted"
    REACTED = "reacted"


class Attachment(NamedTuple):
    """A file attached to a message. All fields are claims of the sender or the platform."""

    name: str
    kind: str  # media type
    size: int  # bytes; 0 if unknown
    source: str  # the platform's id, used to fetch it


class Event(NamedTuple):
    """One event on a platform."""

    place: Place
    what: What
    text: str
    message: str  # the platform's id of the message that this is, or is about
    event: str = ""  # the platform's id of this event, if it has one
    trace: str = ""  # the platform's id of the request that brought it
    digest: str = ""  # of the content, without what changes with a retry
    part: int = 0  # number of the part, if the event has several
    mentioned: bool = False  # the platform itself says that we were mentioned
    roles: frozenset[str] = frozenset()  # the speaker's roles there, according to the platform
    machine: bool = False  # sent by a program, according to the platform
    behind: str = ""  # the person for whom a program speaks, if the platform vouches for it
    back: str = ""  # where to answer, if that is neither the room nor the person
    name: str = ""  # the speaker's display name, freely chosen
    files: tuple[Attachment, ...] = ()
