"""SQL stores: one table of rows, with the same statements for all databases apart from placeholders and types.

A gateway has a local SQLite file, or a PostgreSQL database that it shares with gateways on other machines. In both, a
transaction has exclusive access.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.store import FAILURES, unusable
from remit.core.errors import AuthorityError, PackageError
from remit.gateway.inbound.stores.serialization import key_bytes, key_text
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.monitor import Monitor
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.store import Row


FILE = "gateway.db"
_LOCK = 0x72656D6974  # advisory lock of all gateways that share a database
_GET = "SELECT value FROM {kept} WHERE tab = ? AND key = ?"
_PUT = (
    "INSERT INTO {kept} VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tab, key)"
    " DO UPDATE SET value = excluded.value, due = excluded.due, until = excluded.until, at = excluded.at"
)
_DROP = "DELETE FROM {kept} WHERE tab = ? AND key = ?"
_FIRST = "SELECT key, value FROM {kept} WHERE tab = ? AND due <= ? ORDER BY due, at, key LIMIT 1"
_ALL = "SELECT key, value FROM {kept} WHERE tab = ? ORDER BY key"
_LIVE = "SELECT key, value FROM {kept} WHERE tab = ? AND due IS NOT NULL ORDER BY due, at, key"
_SWEEP = "DELETE FROM {kept} WHERE until <= ?"
_FORM = (
    (
        "CREATE TABLE IF NOT EXISTS {kept} (tab TEXT NOT NULL, key {bytes} NOT NULL, value TEXT NOT NULL, due {number}, until {number},"
        " at {number} NOT NULL, PRIMARY KEY (tab, key)){options}"
    ),
    "CREATE INDEX IF NOT EXISTS {kept}_due ON {kept} (tab, due, at, key) WHERE due IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS {kept}_until ON {kept} (until) WHERE until IS NOT NULL",
)


class Dialect(NamedTuple):
    """The SQL dialect of a database."""

    kept: str  # the name of the table
    bytes: str
    number: str
    options: str
    mark: str  # placeholder of a value
    begin: tuple[str, ...]  # statements that begin an exclusive transaction
    errors: tuple[type[Exception], ...]
    failed: Callable[[Exception], AuthorityError]

    def said(self, words: str) -> str:
        """Return a statement in this dialect."""
        return words.format(**self._asdict()).replace("?", self.mark)


class SqlLink:
    """One connection to a store, used by one thread at a time. Values are texts here.

    `cursor`: of a connection in autocommit mode.
    """

    def __init__(self, cursor: Any, close: Callable[[], None], dialect: Dialect) -> None:
        self._cursor, self._close, self._dialect = cursor, close, dialect
        self._get, self._put, self._drop, self._first, self._all, self._live, self._sweep = map(
            dialect.said, (_GET, _PUT, _DROP, _FIRST, _ALL, _LIVE, _SWEEP)
        )
        self.begin()
        for statement in _FORM:
            self._do(dialect.said(statement))
        self.commit()

    def begin(self) -> None:
        """Begin a transaction, exclusive among all processes."""
        for statement in self._dialect.begin:
            self._do(statement)

    def commit(self) -> None:
        """Commit to the disk."""
        self._do("COMMIT")

    def rollback(self) -> None:
        """Discard the transaction."""
        self._do("ROLLBACK")

    def mark(self) -> None:
        """Set a savepoint for `back`."""
        self._do("SAVEPOINT one")

    def back(self) -> None:
        """Undo the writes since the savepoint and release it."""
        self._do("ROLLBACK TO one")
        self._do("RELEASE one")

    def go_on(self) -> None:
        """Release the savepoint."""
        self._do("RELEASE one")

    def get(self, table: str, key: str) -> str | None:
        """Return one value."""
        row = self._do(self._get, (table, key_bytes(key))).fetchone()
        return row[0] if row else None

    def put(self, rows: Sequence[Row]) -> None:
        """Write rows."""
        self._do(self._put, rows, many=True)

    def drop(self, keys: Sequence[tuple[str, bytes]]) -> None:
        """Delete rows."""
        self._do(self._drop, keys, many=True)

    def first(self, table: str, now: int) -> tuple[str, str] | None:
        """Return the row that is due first."""
        row = self._do(self._first, (table, now)).fetchone()
        return (key_text(row[0]), row[1]) if row else None

    def all(self, table: str, *, live: bool) -> list[tuple[str, str]]:
        """Return all rows of a table; `live`: that have a due time."""
        rows = self._do(self._live if live else self._all, (table,)).fetchall()
        return [(key_text(key), value) for key, value in rows]

    def sweep(self, now: int) -> None:
        """Delete expired rows."""
        self._do(self._sweep, (now,))

    def close(self) -> None:
        """Close the connection."""
        self._close()

    def _do(self, statement: str, values: Sequence[Any] = (), *, many: bool = False) -> Any:
        """Execute a statement; `many`: once for each of the values, also for none."""
        try:
            if not many:
                self._cursor.execute(statement, values)
            elif values:
                self._cursor.executemany(statement, values)
        except self._dialect.errors as error:
            raise self._dialect.failed(error) from None
        return self._cursor


def _sqlite_failed(error: Exception) -> AuthorityError:
    return unusable("the gateway's store", error)


_SQLITE = Dialect(
    "kept", "BLOB", "INTEGER", " STRICT, WITHOUT ROWID", "?", ("BEGIN IMMEDIATE",), FAILURES, _sqlite_failed
)  # fmt: skip


def sqlite_link(path: Path) -> SqlLink:
    """Return a link to the SQLite file, which is created if needed."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        link = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        link.execute("PRAGMA journal_mode = WAL")
        link.execute("PRAGMA synchronous = FULL")
    except FAILURES as error:
        raise _sqlite_failed(error) from None
    return SqlLink(link.cursor(), link.close, _SQLITE)


def _postgres_failed(error: Exception) -> AuthorityError:
    told = str(error).splitlines()[0] if str(error) else type(error).__name__
    return AuthorityError(f"the gateway's store cannot be used: {told}", "look at the database")


def postgres_link(address: str) -> SqlLink:
    """Return a link to the PostgreSQL database at an address."""
    try:
        import psycopg  # noqa: PLC0415  needed only for a shared database
    except ImportError:
        raise PackageError("psycopg", "postgres") from None
    begin = ("BEGIN", f"SELECT pg_advisory_xact_lock({_LOCK})")
    dialect = Dialect("remit_kept", "BYTEA", "BIGINT", "", "%s", begin, (psycopg.Error,), _postgres_failed)
    try:
        link = psycopg.connect(address, autocommit=True)
        link.execute("SET synchronous_commit = on")
    except psycopg.Error as error:
        raise _postgres_failed(error) from None
    return SqlLink(link.cursor(), link.close, dialect)


def open_store(settings: Settings, folder: Path, watcher: Monitor | None = None) -> Store:
    """Return the store that the settings name."""
    link = postgres_link(settings.database) if settings.database else sqlite_link(folder / FILE)
    return Store(link, TABLES, watcher)
