"""A store in one SQLite file. Several processes may use it; a transaction has it alone."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from remit.core.errors import AuthorityError
from remit.gateway.inbound.stores.forms import key_bytes, key_text, read, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from remit.gateway.inbound.stores.forms import Form
    from remit.gateway.inbound.stores.operations import Write

_FORM = (
    """CREATE TABLE IF NOT EXISTS kept (
        tab TEXT NOT NULL, key BLOB NOT NULL, value TEXT NOT NULL, due INTEGER, until INTEGER, at INTEGER NOT NULL, PRIMARY KEY (tab, key)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS kept_due ON kept (tab, due, at, key) WHERE due IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS kept_until ON kept (until) WHERE until IS NOT NULL",
)


class SqliteLink:
    """See running.Link."""

    def __init__(self, path: Path, tables: Mapping[str, Form]) -> None:
        self._tables = tables
        with _failing():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            self._link = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._link.execute("PRAGMA journal_mode = WAL")
            self._link.execute("PRAGMA synchronous = FULL")
            for statement in _FORM:
                self._link.execute(statement)

    def begin(self) -> None:
        """Alone, among all processes."""
        self._do("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """On the disk."""
        self._do("COMMIT")

    def rollback(self) -> None:
        """Nothing."""
        self._do("ROLLBACK")

    def mark(self) -> None:
        """A savepoint."""
        self._do("SAVEPOINT one")

    def back(self) -> None:
        """To it."""
        self._do("ROLLBACK TO one")
        self._do("RELEASE one")

    def go_on(self) -> None:
        """Past it."""
        self._do("RELEASE one")

    def get(self, table: str, key: str) -> Any:
        """One value."""
        row = self._do("SELECT value FROM kept WHERE tab = ? AND key = ?", table, key_bytes(key)).fetchone()
        return read(row[0], self._tables[table]) if row else None

    def put(self, write: Write) -> None:
        """One value."""
        if write.value is None:
            self._do("DELETE FROM kept WHERE tab = ? AND key = ?", write.table, key_bytes(write.key))
        else:
            value = written(write.value)
            self._do(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?, ?)",
                write.table,
                key_bytes(write.key),
                value,
                write.due,
                write.until,
                time.time_ns(),
            )

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """The one that is due first."""
        row = self._do(
            "SELECT key, value FROM kept WHERE tab = ? AND due <= ? ORDER BY due, at, key LIMIT 1", table, now
        ).fetchone()
        return (key_text(row[0]), read(row[1], self._tables[table])) if row else None

    def all(self, table: str) -> list[tuple[str, Any]]:
        """All values."""
        rows = self._do("SELECT key, value FROM kept WHERE tab = ? ORDER BY key", table).fetchall()
        return [(key_text(key), read(value, self._tables[table])) for key, value in rows]

    def sweep(self, now: int) -> None:
        """What is over."""
        self._do("DELETE FROM kept WHERE until <= ?", now)

    def close(self) -> None:
        """No more."""
        self._link.close()

    def _do(self, statement: str, *values: object) -> sqlite3.Cursor:
        with _failing():
            return self._link.execute(statement, values)


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise AuthorityError(
            f"the gateway's store can not be used: {error}", "repair the file, or give another"
        ) from None
