"""What an operation asks of a store. An operation is a generator: it yields what it asks, is given the answer, and returns what came of
it. A store runs it; the model explorer runs the same one with others in between at every point, and with crashes.

Between `Begin` and `Commit` no other operation that began does anything, and either all of what is written is kept or nothing. The
explorer believes none of this of an operation that does not begin.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Begin(NamedTuple):
    """From here on alone."""


class Commit(NamedTuple):
    """Keep what was written since."""


class Read(NamedTuple):
    """What stands under a key, or None."""

    table: str
    key: str


class Write(NamedTuple):
    """Put something under a key. `due`: from when on `Next` finds it; `until`: from when on it may be forgotten. None is never."""

    table: str
    key: str
    value: Any
    due: int | None = None
    until: int | None = None


class Next(NamedTuple):
    """The key and value of what is due first, or None; among equals what was written first."""

    table: str
    now: int


class All(NamedTuple):
    """Everything in a table, by its keys: for who shows it."""

    table: str


class Live(NamedTuple):
    """What is due in a table at some time, by its keys and values: what waits, and what was taken."""

    table: str


class Change(NamedTuple):
    """What an operation wrote under a key, for who watches: what stood there before, and until when it is kept. None is nothing."""

    table: str
    key: str
    before: Any
    after: Any
    until: int | None = None


class Observed(NamedTuple):
    """An operation that was kept, for who watches. `read`: what it was told of a table and key before it wrote there."""

    changes: tuple[Change, ...]
    read: Mapping[tuple[str, str], Any] = MappingProxyType({})


Asked: TypeAlias = "Begin | Commit | Read | Write | Next | All | Live"
Operation: TypeAlias = Generator[Asked, Any, T]


def listed(table: str) -> Operation[list[tuple[str, Any]]]:
    """Everything in a table."""
    found: list[tuple[str, Any]] = yield All(table)
    return found
