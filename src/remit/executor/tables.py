"""The tables of executors and gateways: a file (authority/store.py), or a PostgreSQL database that several of them share.

Statements are written for SQLite and translated for PostgreSQL. In both, a change is one transaction.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from remit.authority.store import Store
from remit.core.errors import AuthorityError, PackageError

if TYPE_CHECKING:
    from pathlib import Path

_LOCK = 0x72656D6975  # advisory lock of all parties that share a database
Words: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]  # of SQLite, and what PostgreSQL says instead
_WORDS: Words = (
    (re.compile(r"\)\s*STRICT(, WITHOUT ROWID)?"), ")"),
    (re.compile(r"INTEGER PRIMARY KEY AUTOINCREMENT"), "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
    (re.compile(r"\?"), "%s"),
)


class Link(Protocol):
    """A connection that runs statements."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement and return a cursor."""
        ...


class State(Protocol):
    """One group of tables."""

    def change(self, *, durable: bool = True) -> AbstractContextManager[Link]:
        """Return a context for an atomic change; no other process changes anything meanwhile.

        `durable`: False if a machine that loses power may forget it.
        """
        ...

    def look(self) -> AbstractContextManager[Link]:
        """Return a context for reading."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class _PostgresLink:
    """A PostgreSQL connection that accepts SQLite statements."""

    def __init__(self, connection: Any, words: Words) -> None:
        self._connection, self._words = connection, words

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """See `Link`. String subclasses (such as enums) become plain strings."""
        plain = [str(one) if isinstance(one, str) else one for one in values]
        return self._connection.execute(self._said(statement), plain)

    def _said(self, statement: str) -> str:
        for words, others in self._words:
            statement = words.sub(others, statement)
        return statement


class PostgresState:
    """Tables in a PostgreSQL database, shared by threads. A broken connection is reopened at the next use.

    `schema`: where the tables are; empty: where the server puts them. `alone`: whether a change locks out all others. `words`: further
    translations of statements.
    """

    def __init__(
        self,
        address: str,
        form: str,
        *,
        whose: str = "the gateway's memory",
        schema: str = "remit_gateway",
        alone: bool = True,
        words: Words = (),
    ) -> None:
        try:
            import psycopg  # noqa: PLC0415  needed only for a shared database
        except ImportError:
            raise PackageError("psycopg", "postgres") from None
        self._psycopg: Any = psycopg
        self._address, self._whose, self._schema, self._alone = address, whose, schema, alone
        self._words = (*_WORDS, *words)
        self._lock = threading.Lock()
        self._connection: Any = None
        with self._changing(alone=True) as link:  # two parties may start at once
            for statement in form.split(";"):
                link.execute(statement)

    def change(self, *, durable: bool = True) -> AbstractContextManager[Link]:
        """See `State`. Every change is durable."""
        _ = durable
        return self._changing(alone=self._alone)

    @contextmanager
    def _changing(self, *, alone: bool) -> Iterator[Link]:
        with self._failing() as connection, connection.transaction():
            if alone:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            yield _PostgresLink(connection, self._words)

    @contextmanager
    def look(self) -> Iterator[Link]:
        """See `State`."""
        with self._failing() as connection:
            yield _PostgresLink(connection, self._words)

    def close(self) -> None:
        """See `State`."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    @contextmanager
    def _failing(self) -> Iterator[Any]:
        """Return the connection under a lock. Errors become AuthorityError, and nothing is retried."""
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connected()
                yield self._connection
            except self._psycopg.Error as error:
                message = f"{self._whose} cannot be used: {type(error).__name__}"
                raise AuthorityError(message, "see that PostgreSQL runs") from None

    def _connected(self) -> Any:
        connection = self._psycopg.connect(self._address, autocommit=True, connect_timeout=5)
        connection.execute("SET synchronous_commit = on")
        if self._schema:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))  # two gateways may start at once
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
            connection.execute(f"SET search_path TO {self._schema}")
        return connection


class Database(NamedTuple):
    """The address of a PostgreSQL database."""

    address: str


def open_state(place: Path | Database, form: str, *, durable: bool = True) -> State:
    """Open tables in a file or a database.

    `durable`: whether a file syncs each change to the disk; a database always does.
    """
    return PostgresState(place.address, form) if isinstance(place, Database) else Store(place, form, durable=durable)
