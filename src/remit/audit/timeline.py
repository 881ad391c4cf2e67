"""Browsing of a log: pages of records, the newest first, with filters, fast for a log of any length.

The log has no column besides the text of a record, because it could say something else. So the reader builds an index
of the texts, in a temporary file that no other user can open: from the newest record backwards, in steps, and forwards
as records are written. The index only refers to records; each is then read from the log, and shown if it matches.

A page says down to which record it searched, so that a filter with few matches keeps no reader waiting.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ALARM, NOT_LET_THROUGH
from remit.audit.head import Places, broken
from remit.audit.queries import Filter, anywhere, fits, one_record
from remit.audit.store import connect
from remit.core.errors import AuditError

if TYPE_CHECKING:
    from remit.audit.entry import Record

SIZE = 50  # records of a page
_STEP = 5_000  # records that are indexed at a time
_WINDOW = 100_000  # records that are searched at a time
_PATIENCE = 1.0  # seconds after which a page ends, even with few matches
FIELDS = ("session", "principal", "tool", "outcome", "call")
# Forbidden changes that were noticed, and a record that is not JSON.
_ALARMS = f"""
    json_extract(said, '$.body.op') = '{ALARM}' OR json_extract(said, '$.body.event') = '{ALARM}'
    OR json_extract(said, '$.body.reason') LIKE '{NOT_LET_THROUGH}%'
    OR json_extract(said, '$.body.judged') != json_extract(said, '$.body.ran') OR json_extract(said, '$.number') IS NULL
"""
_FORM = f"""
CREATE TABLE found.seen (
    number INTEGER PRIMARY KEY, time INTEGER, kind TEXT, alarm INTEGER, {", ".join(f"{name} TEXT" for name in FIELDS)}
)
"""
_FILL = f"""
INSERT OR IGNORE INTO found.seen
SELECT number, json_extract(said, '$.time'), json_extract(said, '$.kind'), coalesce({_ALARMS}, 0),
    {", ".join(f"json_extract(said, '$.body.{name}')" for name in FIELDS)}
FROM (
    SELECT number, CASE WHEN json_valid(CAST(text AS TEXT)) THEN CAST(text AS TEXT) ELSE '{{}}' END AS said
    FROM record WHERE number BETWEEN ? AND ?
)
"""  # noqa: S608  names of ours


class Unreadable(NamedTuple):
    """A record that is not what was written: none of its fields could be trusted."""

    number: int
    reason: str


class Page(NamedTuple):
    """Matching records, the newest first."""

    records: tuple[Record | Unreadable, ...]
    looked: int  # all records down to this one were searched
    newest: int  # the last record of the log

    @property
    def before(self) -> int:
        """Where the next page begins; 0 if nothing is left."""
        return self.looked if self.looked > 1 else 0


class Timeline:
    """The log of a state folder, for browsing. Threads may share it: they take turns."""

    def __init__(self, folder: Path) -> None:
        self._store = connect(Places(folder), write=False)
        self._turn = threading.Lock()
        self._low = self._high = 0  # indexed from low to high; low is high + 1 if nothing is
        self._store.execute("ATTACH '' AS found")
        self._store.execute(_FORM)
        for name in ("alarm", *FIELDS):
            self._store.execute(f"CREATE INDEX found.by_{name} ON seen ({name}, number)")

    def page(self, wanted: Filter, *, before: int = 0, size: int = SIZE, alarms: bool = False) -> Page:
        """Return matching records older than `before`; with `alarms`, only forbidden changes."""
        with self._looking():
            newest = self._newest()
            top = min(before, newest + 1) if before > 0 else newest + 1
            if not alarms and wanted == Filter():
                last = max(top - size, 1)
                return Page(tuple(self._read(number) for number in range(top - 1, last - 1, -1)), last, newest)
            clause, values = _where(wanted, alarms=alarms)
            self._forward(newest)
            found: list[Record | Unreadable] = []
            end = time.monotonic() + _PATIENCE
            while len(found) < size and top > 1:
                if top <= self._low:
                    if found and time.monotonic() > end:
                        break
                    self._backward()
                floor, room = max(self._low, top - _WINDOW, 1), size - len(found)
                query = f"""
                    SELECT number FROM found.seen JOIN record USING (number)
                    WHERE number < ? AND number >= ?{clause} ORDER BY number DESC LIMIT ?
                """  # noqa: S608  names of ours
                numbers = [row[0] for row in self._store.execute(query, (top, floor, *values, room))]
                found += [one for one in map(self._read, numbers) if isinstance(one, Unreadable) or fits(one, wanted)]
                top = numbers[-1] if len(numbers) == room else min(top, floor)
                if time.monotonic() > end:
                    break
            return Page(tuple(found), top, newest)

    def record(self, number: int) -> Record | Unreadable | None:
        """Return one record."""
        with self._looking():
            return self._read(number) if 1 <= number <= self._newest() else None

    def values(self, name: str, most: int = 100) -> tuple[str, ...]:
        """Return the values of a field in the indexed records, sorted, in steps from value to value."""
        assert name in FIELDS, name
        query = f"""
            WITH RECURSIVE one(value) AS (
                SELECT min({name}) FROM found.seen
                UNION ALL SELECT (SELECT min({name}) FROM found.seen WHERE {name} > value) FROM one WHERE value IS NOT NULL
            )
            SELECT value FROM one WHERE value IS NOT NULL LIMIT ?
        """  # noqa: S608  names of ours
        with self._looking():
            return tuple(row[0] for row in self._store.execute(query, (most,)))

    def count_alarms(self) -> int:
        """Return the number of alarms in the indexed records."""
        with self._looking():
            return int(self._store.execute("SELECT count(*) FROM found.seen WHERE alarm = 1").fetchone()[0])

    def index(self, seconds: float = _PATIENCE) -> bool:
        """Index missing records, the newest first; return whether all are done."""
        end = time.monotonic() + seconds
        with self._looking():
            self._forward(self._newest())
            while self._low > 1 and time.monotonic() < end:
                self._backward()
            return self._low <= 1

    def head(self) -> tuple[int, str]:
        """Return number and hash of the last record."""
        with self._looking():
            row = self._store.execute("SELECT number, hash FROM record ORDER BY number DESC LIMIT 1").fetchone()
            return (int(row[0]), bytes(row[1]).hex()) if row else (0, "")

    def close(self) -> None:
        """Close the log and the index."""
        with self._turn:
            self._store.close()

    @contextmanager
    def _looking(self) -> Iterator[None]:
        import sqlite3  # noqa: PLC0415  as `store`

        with self._turn:
            try:
                yield
            except sqlite3.Error as error:
                raise broken("the file of the log cannot be read", error) from None

    def _newest(self) -> int:
        return int(self._store.execute("SELECT coalesce(max(number), 0) FROM record").fetchone()[0])

    def _read(self, number: int) -> Record | Unreadable:
        try:
            return one_record(self._store, number) or Unreadable(number, f"record {number} is not there")
        except AuditError as error:
            return Unreadable(number, error.message)

    def _forward(self, newest: int) -> None:
        """Index records written since."""
        if self._high == 0:
            self._low, self._high = newest + 1, newest
        elif newest > self._high:
            self._store.execute(_FILL, (self._high + 1, newest))
            self._high = newest

    def _backward(self) -> None:
        """Index another step of older records."""
        low = max(self._low - _STEP, 1)
        self._store.execute(_FILL, (low, self._low - 1))
        self._low = low


def _where(wanted: Filter, *, alarms: bool) -> tuple[str, tuple[str | int, ...]]:
    """Return what the index filters out; `fits` of `reading` filters a record the same way."""
    parts: list[tuple[str, str | int]] = [(f"{name} = ?", getattr(wanted, name)) for name in (*FIELDS, "kind")]
    parts += [("kind != ?", wanted.without), ("number > ?", wanted.after), ("alarm = ?", int(alarms))]
    parts += [("time >= ?", wanted.since), ("time < ?", wanted.until)]
    parts.append(("CAST(text AS TEXT) LIKE ? ESCAPE '\\'", wanted.text and anywhere(wanted.text)))
    used = [part for part in parts if part[1]]
    return "".join(f" AND {text}" for text, _ in used), tuple(value for _, value in used)
