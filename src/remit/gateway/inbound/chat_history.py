"""Conversation history of a visitor on the gateway's own channels, which no platform keeps.

Only the last lines are stored.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.stores.serialization import key_of

TABLE = "history"
MOST, MOST_CHARACTERS = 500, 400_000


class Side(StrEnum):
    """The author of a line."""

    VISITOR = "visitor"
    GATEWAY = "gateway"


class Line(NamedTuple):
    """One line. `about`: the event that it is, or that it answers."""

    side: Side
    text: str
    about: str
    at: int


class History(NamedTuple):
    """The lines of a visitor, and how many of the last ones the visitor has not seen yet."""

    lines: tuple[Line, ...] = ()
    unseen: int = 0

    def with_line(self, line: Line, *, seen: bool) -> History:
        """Append a line and drop the oldest ones above the limits."""
        lines = (*self.lines, line)[-MOST:]
        size = 0
        for kept, one in enumerate(reversed(lines)):
            size += len(one.text)
            if size > MOST_CHARACTERS and kept:
                lines = lines[-kept:]
                break
        return History(lines, 0 if seen else min(self.unseen + 1, len(lines)))


def add(channel: str, visitor: str, line: Line, *, seen: bool) -> Operation[None]:
    """Store a line."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    yield Write(TABLE, key, known.with_line(line, seen=seen))
    yield Commit()


def come_back(channel: str, visitor: str) -> Operation[History]:
    """Return the history for a returning visitor, and mark it as seen."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    if known.unseen:
        yield Write(TABLE, key, known._replace(unseen=0))
    yield Commit()
    return known


def missed(channel: str, visitor: str) -> Operation[None]:
    """Mark the last line as unseen: it could not be shown after all."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    yield Write(TABLE, key, known._replace(unseen=min(known.unseen + 1, len(known.lines))))
    yield Commit()
