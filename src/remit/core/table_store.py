"""What is worked out of Remit's own data alone, kept for later runs: parsed tables, and the code of regular expressions.

This is only the memory. `checker/table_file.py` fills it from a file and writes what is new; while nobody opens it, all is worked out each time.
"""

from __future__ import annotations

import marshal
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Table = TypeVar("Table")


class PatternCode(NamedTuple):
    """What `re` makes of a regular expression: its flags, code (as bytes), number of groups and their names."""

    flags: int
    code: bytes
    groups: int
    names: dict[str, int]


class TableStore:
    """Tables by name, and codes of patterns by text and flags; `new` are those that a file does not have yet."""

    def __init__(self) -> None:
        self.open = False
        self.tables: dict[str, bytes] = {}
        self.patterns: dict[tuple[str | bytes, int], PatternCode] = {}
        self.new_tables: dict[str, bytes] = {}
        self.new_patterns: set[tuple[str | bytes, int]] = set()


STORE = TableStore()


def stored_table(read: Callable[[Any], Table]) -> Callable[[Callable[[], Table]], Callable[[], Table]]:
    """A table that is made once, and taken from the store if it is there; `read` makes its records again from plain tuples."""

    def wrap(make: Callable[[], Table]) -> Callable[[], Table]:
        name = f"{make.__module__}.{make.__qualname__}"

        @cache
        @wraps(make)
        def get() -> Table:
            kept = STORE.tables.get(name)
            if kept is not None:
                return read(marshal.loads(kept))  # noqa: S302  from a file that nobody else can write to
            made = make()
            if STORE.open:
                STORE.new_tables[name] = marshal.dumps(plain(made))
            return made

        return get

    return wrap


def plain(value: Any) -> Any:
    """Records as tuples and members of enumerations as their texts, all the way down."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {plain(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return list(map(plain, value))
    if isinstance(value, frozenset):
        return frozenset(map(plain, value))
    return str(value) if isinstance(value, str) else value
