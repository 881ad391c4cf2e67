"""Store of values computed from Remit's own data alone: parsed tables, and the code of regular expressions.

This is only the memory. `checker/table_file.py` loads it from a file and saves what is new; without it, everything is
computed each time.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, NamedTuple, TypeVar

Table = TypeVar("Table")


class PatternCode(NamedTuple):
    """The compiled form of a regular expression: its flags, code (as bytes), number of groups and their names."""

    flags: int
    code: bytes
    groups: int
    names: dict[str, int]


class TableStore:
    """Tables by name, and pattern codes by text and flags; `new` are those that the file does not have yet."""

    def __init__(self) -> None:
        self.open = False
        self.whole_state: Callable[[], str] = (
            str  # tables that depend on all of Remit; the file is for one state of what results depend on
        )
        self.tables: dict[str, bytes] = {}
        self.patterns: dict[tuple[str | bytes, int], PatternCode] = {}
        self.new_tables: dict[str, bytes] = {}
        self.new_patterns: set[tuple[str | bytes, int]] = set()


STORE = TableStore()


def stored_table(read: Callable[[Any], Table]) -> Callable[[Callable[[], Table]], Callable[[], Table]]:
    """Return a table from the store, or make and store it; `read` makes its records again from plain tuples."""

    def wrap(make: Callable[[], Table]) -> Callable[[], Table]:
        return cache(wraps(make)(lambda: stored(f"{make.__module__}.{make.__qualname__}", make, read)))

    return wrap


def stored(name: str, make: Callable[[], Table], read: Callable[[Any], Table], *, whole: bool = False) -> Table:
    """Return the table of this name from the store, or make it. `whole`: it depends on all of Remit."""
    if whole and STORE.open:
        name = f"{name} {STORE.whole_state()}"
    kept = STORE.tables.get(name)
    if kept is not None:
        return read(marshal.loads(kept))  # noqa: S302  from a file that nobody else can write to
    made = make()
    if STORE.open:
        STORE.new_tables[name] = marshal.dumps(plain(made))
    return made


def plain(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """Return records as tuples and enumeration members as texts, recursively; shared objects stay shared."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)]
    made = value
    if isinstance(value, tuple):
        made = tuple([plain(inner, seen) for inner in value])
    elif isinstance(value, dict):
        made = {plain(key, seen): plain(inner, seen) for key, inner in value.items()}
    elif isinstance(value, list):
        made = [plain(inner, seen) for inner in value]
    elif isinstance(value, frozenset):
        made = frozenset([plain(inner, seen) for inner in value])
    elif isinstance(value, str):
        made = str(value)
    seen[id(value)] = made
    return made
