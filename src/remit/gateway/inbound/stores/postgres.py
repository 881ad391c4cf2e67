"""A store in a PostgreSQL database, for a gateway that runs on several machines. A transaction has it alone, as in a file."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from remit.core.errors import AuthorityError
from remit.gateway.inbound.stores.forms import key_bytes, key_text, read, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remit.gateway.inbound.stores.forms import Form
    from remit.gateway.inbound.stores.operations import Write

_LOCK = 0x72656D6974  # of all gateways that share a database
_FORM = (
    """CREATE TABLE IF NOT EXISTS remit_kept (
        tab TEXT NOT NULL, key BYTEA NOT NULL, value TEXT NOT NULL, due BIGINT, until BIGINT, at BIGINT NOT NULL, PRIMARY KEY (tab, key)
    )""",
    "CREATE INDEX IF NOT EXISTS remit_kept_due ON remit_kept (tab, due, at, key) WHERE due IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS remit_kept_until ON remit_kept (until) WHERE until IS NOT NULL",
)
_PUT = """INSERT INTO remit_kept VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (tab, key) DO UPDATE SET value = excluded.value, due = excluded.due, until = excluded.until, at = excluded.at"""


class PostgresLink:
    """See running.Link."""

    def __init__(self, address: str, tables: Mapping[str, Form]) -> None:
        self._tables = tables
        with _failing():
            self._link = psycopg.connect(address, autocommit=True)
            self._do("SET synchronous_commit = on")
            self.begin()
            for statement in _FORM:
                self._do(statement)
            self.commit()

    def begin(self) -> None:
        """Alone, among all gateways."""
        self._do("BEGIN")
        self._do("SELECT pg_advisory_xact_lock(%s)", _LOCK)

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
        row = self._do("SELECT value FROM remit_kept WHERE tab = %s AND key = %s", table, key_bytes(key)).fetchone()
        return read(row[0], self._tables[table]) if row else None

    def put(self, write: Write) -> None:
        """One value."""
        if write.value is None:
            self._do("DELETE FROM remit_kept WHERE tab = %s AND key = %s", write.table, key_bytes(write.key))
        else:
            self._do(
                _PUT, write.table, key_bytes(write.key), written(write.value), write.due, write.until, time.time_ns()
            )

    def first(self, table: str, now: int) -> tuple[str, Any] | None:
        """The one that is due first."""
        order = "SELECT key, value FROM remit_kept WHERE tab = %s AND due <= %s ORDER BY due, at, key LIMIT 1"
        row = self._do(order, table, now).fetchone()
        return (key_text(row[0]), read(row[1], self._tables[table])) if row else None

    def all(self, table: str) -> list[tuple[str, Any]]:
        """All values."""
        rows = self._do("SELECT key, value FROM remit_kept WHERE tab = %s ORDER BY key", table).fetchall()
        return [(key_text(key), read(value, self._tables[table])) for key, value in rows]

    def sweep(self, now: int) -> None:
        """What is over."""
        self._do("DELETE FROM remit_kept WHERE until <= %s", now)

    def close(self) -> None:
        """No more."""
        self._link.close()

    def _do(self, statement: str, *values: object) -> psycopg.Cursor[Any]:
        with _failing():
            return self._link.execute(statement.encode(), values)


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise AuthorityError(f"the gateway's store can not be used: {told}", "look at the database") from None
