"""A group of operations in one transaction.

Each value is read from and written to the store once, however many operations use it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from remit.gateway.inbound.stores.operations import All, Asked, Begin, Commit, Live, Next, Read, Write
from remit.gateway.inbound.stores.serialization import Form, key_bytes, read, written

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operation_runner import Link

Row: TypeAlias = "tuple[str, bytes, str, int | None, int | None, int]"  # table, key, value, due, until, time of writing
Place: TypeAlias = "tuple[str, str]"


class Group:
    """One transaction in which operations run one after the other."""

    def __init__(self, link: Link, tables: Mapping[str, Form]) -> None:
        self.link, self._tables = link, tables
        self._known: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}  # None: deleted

    def get(self, place: Place) -> Any:
        """Return the value of a key, or None."""
        if place not in self._known:
            text = self.link.get(*place)
            self._known[place] = None if text is None else read(text, self._tables[place[0]])
        return self._known[place]

    def keep(self, values: Mapping[Place, Any], rows: Mapping[Place, Row | None]) -> None:
        """Adopt what an operation wrote."""
        self._known.update(values)
        self._rows.update(rows)

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """Return what is due first, or None."""
        self.flush()
        found = self.link.first(table, now)
        return None if found is None else (found[0], read(found[1], self._tables[table]))

    def all(self, table: str) -> list[tuple[str, Any]]:
        """Return everything in a table."""
        self.flush()
        form = self._tables[table]
        return [(key, read(text, form)) for key, text in self.link.all(table)]

    def live(self, table: str) -> list[tuple[str, Any]]:
        """Return everything in a table that has a due time."""
        self.flush()
        form = self._tables[table]
        return [(key, read(text, form)) for key, text in self.link.live(table)]

    def flush(self) -> None:
        """Write pending rows to the store, without committing."""
        self.write(self._rows)

    def write(self, rows: dict[Place, Row | None]) -> None:
        """Write these rows and clear them."""
        self.link.put([row for row in rows.values() if row is not None])
        self.link.drop([(table, key_bytes(key)) for (table, key), row in rows.items() if row is None])
        rows.clear()


class Attempt:
    """One operation in a group: its writes are separate until it succeeds."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._values: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}
        self._marked = False  # some of it was written to the store
        self.open = False  # it has begun and not committed

    def answer(self, asked: Asked) -> Any:
        """Answer a request of the operation."""
        match asked:
            case Read(table, key):
                place = (table, key)
                return self._values[place] if place in self._values else self._group.get(place)
            case Write(table, key, value, due, until):
                self._values[table, key] = value
                row = None if value is None else (table, key_bytes(key), written(value), due, until, time.time_ns())
                self._rows[table, key] = row
            case Begin():
                self.open = True
            case Commit():
                self.open = False
            case Next(table, now):
                self._show()
                return self._group.first(table, now)
            case All(table):
                self._show()
                return self._group.all(table)
            case Live(table):
                self._show()
                return self._group.live(table)
        return None

    def end(self) -> None:
        """Adopt the operation's writes."""
        if self._values:
            self._group.keep(self._values, self._rows)
        if self._marked:
            self._group.link.go_on()

    def undo(self) -> None:
        """Discard the operation's writes."""
        if self._marked:
            self._group.link.back()

    def _show(self) -> None:
        """Write the operation's own rows before a query.

        Operations rarely query, so usually the store never sees attempts that fail.
        """
        if self._rows:
            self._group.flush()
            if not self._marked:
                self._group.link.mark()
            self._marked = True
            self._group.write(self._rows)
