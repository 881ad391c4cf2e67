"""What was said between a visitor and us on a channel of our own, kept here because no platform keeps it. The last lines of it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from remit.gateway.inbound.stores.forms import key_of
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write

TABLE = "history"
MOST, MOST_CHARACTERS = 500, 400_000


class Side(StrEnum):
    """Who said a line."""

    VISITOR = "visitor"
    GATEWAY = "gateway"


class Line(NamedTuple):
    """One line. `about`: the event that it is, or answers."""

    side: Side
    text: str
    about: str
    at: int


class History(NamedTuple):
    """The lines of a visitor, and how many of the last of them the visitor has not seen yet."""

    lines: tuple[Line, ...] = ()
    unseen: int = 0

    def with_line(self, line: Line, *, seen: bool) -> History:
        """One more line; the oldest go."""
        lines = (*self.lines, line)[-MOST:]
        size = 0
        for kept, one in enumerate(reversed(lines)):
            size += len(one.text)
            if size > MOST_CHARACTERS and kept:
                lines = lines[-kept:]
                break
        return History(lines, 0 if seen else min(self.unseen + 1, len(lines)))


def add(channel: str, visitor: str, line: Line, *, seen: bool) -> Operation[None]:
    """Keep a line."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    yield Write(TABLE, key, known.with_line(line, seen=seen))
    yield Commit()


def come_back(channel: str, visitor: str) -> Operation[History]:
    """What is kept, as it was before the visitor came, who has seen it from now on."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    if known.unseen:
        yield Write(TABLE, key, known._replace(unseen=0))
    yield Commit()
    return known


def missed(channel: str, visitor: str) -> Operation[None]:
    """The last line was shown to nobody after all."""
    key = key_of((channel, visitor))
    yield Begin()
    known: History = (yield Read(TABLE, key)) or History()
    yield Write(TABLE, key, known._replace(unseen=min(known.unseen + 1, len(known.lines))))
    yield Commit()
