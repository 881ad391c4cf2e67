"""Requests of an operation to a store.

An operation is a generator: it yields requests, receives the answers, and returns a result.

A store runs it; the model explorer runs the same generator with others interleaved at every point, and with crashes.
Between `Begin` and `Commit` no other operation that began runs, and its writes are atomic. The explorer assumes none of
this for an operation that does not begin.

Items such as the turns of a session or the answers to one destination are ordered in lines. One row for each line names
its last item; one for each item with a successor names that. Only the first item of a line is due, so no two are taken
at a time, by any process, and none is overtaken.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Begin(NamedTuple):
    """Begin exclusive access."""


class Commit(NamedTuple):
    """Commit the writes since `Begin`."""


class Read(NamedTuple):
    """The value under a key, or None."""

    table: str
    key: str


class Write(NamedTuple):
    """Store a value under a key.

    `due`: from when `Next` finds it; `until`: from when it may be deleted; None: never.
    """

    table: str
    key: str
    value: Any
    due: int | None = None
    until: int | None = None


class Next(NamedTuple):
    """Key and value of what is due first, or None; among equals what was written first."""

    table: str
    now: int


class All(NamedTuple):
    """Everything in a table, sorted by key; for display."""

    table: str


class Live(NamedTuple):
    """Everything in a table with a due time: waiting and taken items."""

    table: str


class Change(NamedTuple):
    """A write, for a watcher: the value before and after (None: absent), and its expiry."""

    table: str
    key: str
    before: Any
    after: Any
    until: int | None = None


class Observed(NamedTuple):
    """A committed operation, for a watcher. `read`: what it read from a key before it wrote there."""

    changes: tuple[Change, ...]
    read: Mapping[tuple[str, str], Any] = MappingProxyType({})


StoreRequest: TypeAlias = "Begin | Commit | Read | Write | Next | All | Live"
Operation: TypeAlias = Generator[StoreRequest, Any, T]


def listed(table: str) -> Operation[list[tuple[str, Any]]]:
    """Return everything in a table."""
    found: list[tuple[str, Any]] = yield All(table)
    return found


LAST, BEHIND = "lines", "behind"


def join(line: str, name: str) -> Operation[bool]:
    """Within an operation: append to a line; return whether the item is the first. An item must not join twice."""
    last: str | None = yield Read(LAST, line)
    yield Write(LAST, line, name)
    if last is not None:
        yield Write(BEHIND, last, name)
    return last is None


def leave(line: str, name: str) -> Operation[str | None]:
    """Within an operation: remove the first item of a line; return the next one, which becomes due."""
    last: str | None = yield Read(LAST, line)
    if last == name:
        yield Write(LAST, line, None)
        return None
    behind: str | None = yield Read(BEHIND, name)
    if behind is not None:  # items of a version without lines have no successor
        yield Write(BEHIND, name, None)
    return behind
