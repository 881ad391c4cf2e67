"""What one transaction has read and is about to write. A value is read once, and goes to the store once, whatever the operations in it do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from remit.gateway.inbound.stores.forms import Form, key_bytes, read, written
from remit.gateway.inbound.stores.operations import All, Asked, Begin, Commit, Live, Next, Read, Write

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.running import Link

Row: TypeAlias = (
    "tuple[str, bytes, str, int | None, int | None, int]"  # table, key, value, due, until, when it was written
)
Place: TypeAlias = "tuple[str, str]"


class Group:
    """One transaction, while operations are run in it one after the other."""

    def __init__(self, link: Link, tables: Mapping[str, Form]) -> None:
        self.link, self._tables = link, tables
        self._known: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}  # None: taken away

    def get(self, place: Place) -> Any:
        """What stands there, or None."""
        if place not in self._known:
            text = self.link.get(*place)
            self._known[place] = None if text is None else read(text, self._tables[place[0]])
        return self._known[place]

    def keep(self, values: Mapping[Place, Any], rows: Mapping[Place, Row | None]) -> None:
        """What an operation wrote."""
        self._known.update(values)
        self._rows.update(rows)

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """What is due first."""
        self.flush()
        found = self.link.first(table, now)
        return None if found is None else (found[0], read(found[1], self._tables[table]))

    def all(self, table: str) -> list[tuple[str, Any]]:
        """Everything in a table."""
        self.flush()
        form = self._tables[table]
        return [(key, read(text, form)) for key, text in self.link.all(table)]

    def live(self, table: str) -> list[tuple[str, Any]]:
        """Everything in a table that is due at some time."""
        self.flush()
        form = self._tables[table]
        return [(key, read(text, form)) for key, text in self.link.live(table)]

    def flush(self) -> None:
        """To the store, which has not committed it yet."""
        self.write(self._rows)

    def write(self, rows: dict[Place, Row | None]) -> None:
        """These, which are then written."""
        self.link.put([row for row in rows.values() if row is not None])
        self.link.drop([(table, key_bytes(key)) for (table, key), row in rows.items() if row is None])
        rows.clear()


class Attempt:
    """One operation in a group: what it wrote is its own until it ends well."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._values: dict[Place, Any] = {}
        self._rows: dict[Place, Row | None] = {}
        self._marked = False  # the store has seen some of it
        self.open = False  # it began, and did not commit

    def answer(self, asked: Asked) -> Any:
        """What the operation is answered."""
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
        """All of it counts."""
        if self._values:
            self._group.keep(self._values, self._rows)
        if self._marked:
            self._group.link.go_on()

    def undo(self) -> None:
        """Nothing of it does."""
        if self._marked:
            self._group.link.back()

    def _show(self) -> None:
        """Who asks what is due sees what it wrote itself. Operations seldom do, and the store need not be told of the others' attempts."""
        if self._rows:
            self._group.flush()
            if not self._marked:
                self._group.link.mark()
            self._marked = True
            self._group.write(self._rows)
