"""What is known of a message, whatever platform it came by. Names are the platform's own and are never read as anything else."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Where it was said."""

    DIRECT = "direct"
    GROUP = "group"


class Identity(NamedTuple):
    """Somebody on a platform. The same name elsewhere is somebody else, until a link says otherwise."""

    channel: str
    peer: str


class Place(NamedTuple):
    """Where something was said: on a channel, through an account of ours there, with a person or in a room, maybe in a thread."""

    channel: str
    account: str
    kind: Kind
    peer: str  # who speaks
    room: str = ""  # of a group
    thread: str = ""

    @property
    def identity(self) -> Identity:
        """Who speaks."""
        return Identity(self.channel, self.peer)
