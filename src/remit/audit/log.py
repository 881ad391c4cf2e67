"""The log: appending, reading and signing.

Several processes may write concurrently: each batch is one transaction, isolated from other writers, so the chain never
forks. A killed process leaves only whole batches. A crash of the machine may lose the last batches, but nothing that a
signed head or `sync` has waited for.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from remit.audit.entry import Record, genesis, link, written
from remit.audit.head import Head, Places, SignedHead, Signer, add_head, broken, last_head, local_key, read_head, sign
from remit.audit.queries import Filter, Row, fits, records
from remit.audit.store import add_at_once, changes_of_others, connect, newest_head, transaction
from remit.core.errors import AuditError

if TYPE_CHECKING:
    import sqlite3

    from remit.audit.entry import Entry

EVERY = 256  # records between two signed heads
_LAST = "SELECT number, hash FROM record ORDER BY number DESC LIMIT 1"
_RECENT, _BYTES = 8192, 8 << 20  # records that are cached, and bytes of all of them


def _values(row: Row) -> tuple[int, bytes, bytes]:
    return row.record.number, row.text, row.record.hash


class Log:
    """The log in one state folder. Threads may share it, processes may not: each opens its own."""

    def __init__(
        self, places: Places, store: sqlite3.Connection, signer: Callable[[Path], Signer] | None, every: int
    ) -> None:
        self._places = places
        self._store = store
        self._signer = signer
        self._every = every
        self._lock = threading.RLock()
        self._path = str(places.database)
        self._file = places.database.stat().st_ino
        self._tail: tuple[int, bytes] | None = None  # the last record, unless another process has written since
        self._seen = -1  # by which we know that none has
        self._signed: int | None = None  # the number in the newest head known here
        self._recent: dict[int, Row] = {}  # recent writes of ours, so that they are not read again
        self._held = 0  # bytes of it
        self.name: str = store.execute("SELECT name FROM log").fetchone()[0]
        self.clock: Callable[[], int] = lambda: time.time_ns() // 1000

    @classmethod
    def open(cls, folder: Path, signer: Callable[[Path], Signer] | None = None, every: int = EVERY) -> Log:
        """Open the log in a state folder, created if there is none.

        `signer` returns the signer of heads for the folder; it is called only when the first head is due. Without it a
        key of this machine signs. With `every` 0 heads are signed on request only, for callers that sign outside of the
        hot path.
        """
        places = Places(folder)
        log = cls(places, connect(places, write=True), signer, every)
        try:
            log._refuse_another()
        except BaseException:
            log.close()
            raise
        return log

    def append(self, *entries: Entry, sync: bool = False) -> tuple[int, ...]:
        """Write entries, all or none, and return their numbers. `sync` waits until they are on the disk.

        After an error it is uncertain whether they are written: the caller must not act on them.
        """
        with self._lock:
            store = self._writable()
            rows = self._rows(self._tail, entries) if self._tail and self._alone(store) else []
            self._tail = None  # the state after an error is unknown
            if not rows or not add_at_once(store, list(map(_values, rows))):
                with transaction(store, "IMMEDIATE"):
                    rows = self._rows(self._last(), entries)
                    store.executemany("INSERT INTO record VALUES (?, ?, ?)", map(_values, rows))
            if rows:
                last = rows[-1].record
                self._tail = last.number, last.hash
                self._remember(rows)
            if rows and self._due(store, last.number):
                self.sign()
            elif sync:
                self._wait_for_disk()
        return tuple(row.record.number for row in rows)

    def _alone(self, store: sqlite3.Connection) -> bool:
        """Whether no other process has written since our last look; it saves work on records whose number is taken."""
        before, self._seen = self._seen, changes_of_others(store)
        return before == self._seen

    def _due(self, store: sqlite3.Connection, number: int) -> bool:
        """Whether a head is due: another process may have signed one meanwhile."""
        if self._signed is not None and not 0 < self._every <= number - self._signed:
            return False
        self._signed = newest_head(store)
        return self._signed is None or 0 < self._every <= number - self._signed

    def _rows(self, tail: tuple[int, bytes], entries: Iterable[Entry]) -> list[Row]:
        """Return the rows of entries that follow a record."""
        number, last = tail
        now, rows = self.clock(), []
        for entry in entries:
            number += 1
            text = written(number, now, entry)
            last = link(last, text)
            rows.append(Row(Record(number, now, entry, last), text))
        return rows

    def _remember(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._recent[row.record.number] = row
            self._held += len(row.text)
        while len(self._recent) > _RECENT or self._held > _BYTES:
            self._held -= len(self._recent.pop(next(iter(self._recent))).text)

    def sign(self) -> SignedHead:
        """Sign the current state of the log, and store that beside the database too."""
        with self._lock, transaction(self._writable(), "IMMEDIATE"):
            number, last = self._last()
            newest = self._store.execute("SELECT line FROM head ORDER BY rowid DESC LIMIT 1").fetchone()
            signer = self._signer(self._places.folder) if self._signer else local_key(self._places)
            head = sign(Head(self.name, number, number, last.hex(), self.clock()), signer)
            if newest is not None:
                known = read_head(str(newest[0]))
                if (known.head.number, known.keyid) == (number, head.keyid):
                    self._signed = number
                    return known  # nothing was written since
            # (1) the disk has the records, (2) the file beside has the head, (3) the database has it: a crash in between
            # leaves a head too many beside the database, never one that no record stands behind
            self._wait_for_disk()
            add_head(self._places.heads, head.line())
            self._store.execute("INSERT INTO head VALUES (?, ?)", (number, head.line()))
        self._signed = number
        return head

    def head(self) -> Head:
        """Return the current state of the log, unsigned."""
        with self._lock:
            number, last = self._last()
        return Head(self.name, number, number, last.hex(), self.clock())

    def records(self, wanted: Filter = Filter()) -> Iterator[Record]:  # noqa: B008  a frozen value
        """Return the records, the oldest first. They are read in pages, and writers continue meanwhile."""
        found = self._remembered(wanted)
        if found is not None:
            yield from found
            return
        store = connect(self._places, write=False)  # a separate connection: a reader must not see an incomplete batch
        try:
            yield from records(store, wanted, self._recent)
        finally:
            store.close()

    def _remembered(self, wanted: Filter) -> list[Record] | None:
        """Return the requested records, if all after a number were written here recently, and none by others since."""
        with self._lock:
            if self._tail is None or wanted.newest or self._tail[0] - wanted.after > len(self._recent):
                return None
            number = self._tail[0]
            rows = [self._recent.get(one) for one in range(wanted.after + 1, number + 1)]
            if self._last() != self._tail:
                return None
        known = [row.record for row in rows if row is not None]
        return [one for one in known if fits(one, wanted)] if len(known) == len(rows) else None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_another(self) -> None:
        """Refuse a log that was truncated or replaced: the newest head beside it must match. `verify` checks the rest."""
        with self._lock, transaction(self._store, "IMMEDIATE"):  # prevents signing meanwhile
            inside = self._store.execute("SELECT max(number) FROM head").fetchone()[0]
            newest = last_head(self._places.heads)
            if newest is None:
                fits = inside is None
            else:
                head = newest.head
                row = self._store.execute("SELECT hash FROM record WHERE number = ?", (head.number,)).fetchone()
                here = bytes(row[0]) if row else genesis(self.name) if head.number == 0 else b""
                fits = head.log == self.name and here.hex() == head.hash and (inside or 0) <= head.number
        if not fits:
            message = (
                f"the log in `{self._places.folder}` was cut off or replaced: it does not fit its newest signed head"
            )
            raise AuditError(
                message, "`remit audit verify` shows details; restore a backup, or move the log and its heads away"
            )

    def _last(self) -> tuple[int, bytes]:
        found = self._store.execute(_LAST).fetchone()
        return (int(found[0]), bytes(found[1])) if found else (0, genesis(self.name))

    def _writable(self) -> sqlite3.Connection:
        """Return the file, if it is still the one in the folder: writes to a replaced file would be lost."""
        try:
            here = os.stat(self._path).st_ino  # noqa: PTH116  (a decision waits for it)
        except OSError as error:
            raise broken("the file of the log is gone", error) from None
        if here != self._file:
            raise AuditError("the file of the log was replaced", "restart the guard, then `remit audit verify`")
        return self._store

    def _wait_for_disk(self) -> None:
        """Wait until all that was committed is on the disk; SQLite itself waits before it moves it out of this file."""
        try:
            handle = os.open(self._places.database.with_name("audit.db-wal"), os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise broken("the disk does not take the log", error) from None
