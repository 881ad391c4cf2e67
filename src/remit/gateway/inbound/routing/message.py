"""Origin of a message, whatever the platform. Ids are the platform's own and opaque."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kind of conversation."""

    DIRECT = "direct"
    GROUP = "group"


class Identity(NamedTuple):
    """A user of a platform. The same id on another channel is another user, unless they are linked."""

    channel: str
    peer: str


class Place(NamedTuple):
    """Where a message was sent: channel, our account there, person or room, and thread."""

    channel: str
    account: str
    kind: Kind
    peer: str  # the speaker
    room: str = ""  # of a group
    thread: str = ""

    @property
    def identity(self) -> Identity:
        """The speaker."""
        return Identity(self.channel, self.peer)
