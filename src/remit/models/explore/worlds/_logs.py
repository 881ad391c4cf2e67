"""The log (`audit/log.py`) as a value: what its files hold goes into a database in memory, a writer goes on from what it remembers, and
what the files hold after that is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from remit.audit import log
from remit.audit.chain import Record, read
from remit.audit.head import LocalKey, SignedHead, read_head
from remit.audit.store import _TABLES
from remit.audit.verify import Stored
from remit.models.explore.patching import Patch

if TYPE_CHECKING:
    from remit.audit.entry import Entry

NAME = "00"
KEY = LocalKey(bytes(32))
EVERY = 2  # records from one signed head to the next
# the heads beside the database are a list here
FILES = (Patch(log, "add_head", lambda _: lambda heads, line: heads.append(line)),)


class Disk(NamedTuple):
    """What the files hold."""

    records: tuple[tuple[int, bytes, bytes], ...] = ()
    inside: tuple[tuple[int, str], ...] = ()  # heads of the database
    beside: tuple[str, ...] = ()
    synced: int = 0  # so many records have reached the disk

    def stored(self) -> list[Stored]:
        """The records, as they are verified."""
        return [Stored(*row) for row in self.records]

    def heads(self) -> list[SignedHead]:
        """Those beside the database."""
        return [read_head(line) for line in self.beside]

    def read(self) -> list[Record]:
        """The records, as they are compared with the world."""
        return [Record(*read(text), hash_) for _, text, hash_ in self.records]

    def told(self) -> str:
        """For a story."""
        return f"{len(self.records)} records, {len(self.beside)} heads, {self.synced} on the disk"


class Knows(NamedTuple):
    """What a writer remembers."""

    tail: tuple[int, bytes] | None = None
    signed: int | None = None


class KilledError(Exception):
    """The process ends here."""


class _Database(sqlite3.Connection):
    dies = False  # before a head is written into it

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        if self.dies and statement.startswith("INSERT INTO head"):
            raise KilledError
        return super().execute(statement, values)


class _File:
    """The database as a file: it stays the same one."""

    st_ino = 0

    def stat(self) -> _File:
        return self


class _Folder(NamedTuple):
    heads: list[str]
    folder: None = None
    database: _File = _File()


class _Log(log.Log):
    """A log whose files are in memory."""

    def __init__(self, disk: Disk, knows: Knows) -> None:
        store = sqlite3.connect(":memory:", isolation_level=None, factory=_Database)
        store.executescript(_TABLES)
        store.executemany("INSERT INTO record VALUES (?, ?, ?)", disk.records)
        store.executemany("INSERT INTO head VALUES (?, ?)", disk.inside)
        self.heads = list(disk.beside)
        self.synced = disk.synced
        super().__init__(cast("Any", _Folder(self.heads)), store, lambda _: KEY, EVERY)
        self.name = NAME
        self.clock = lambda: 0
        self._tail, self._signed = knows

    def _writable(self) -> sqlite3.Connection:
        return self._store

    def _alone(self, _: sqlite3.Connection) -> bool:
        """It seems so: whoever writes between this look and the writing is what the model is about."""
        return True

    def _wait_for_disk(self) -> None:
        self.synced = self._last()[0]

    def left(self) -> tuple[Disk, Knows]:
        """What its files hold, and what it remembers."""
        rows = self._store.execute("SELECT number, text, hash FROM record ORDER BY number").fetchall()
        inside = self._store.execute("SELECT number, line FROM head ORDER BY rowid").fetchall()
        disk = Disk(
            tuple((number, bytes(text), bytes(hash_)) for number, text, hash_ in rows),
            tuple(inside),
            tuple(self.heads),
            self.synced,
        )
        return disk, Knows(self._tail, self._signed)


def append(disk: Disk, knows: Knows, entries: Sequence[Entry], *, dies: bool = False) -> tuple[Disk, Knows]:
    """What is there after entries were written down; `dies`: the process ends while it signs, if it does."""
    opened = _Log(disk, knows)
    cast("_Database", opened._store).dies = dies  # noqa: SLF001  it is ours
    try:
        opened.append(*entries)
    except KilledError:
        return opened.left()[0], Knows()
    else:
        return opened.left()
    finally:
        opened.close()
