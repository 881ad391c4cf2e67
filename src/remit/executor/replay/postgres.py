"""Replay store in PostgreSQL, for executors on several machines. A server that may lose confirmed writes is refused."""

from __future__ import annotations

import secrets
import threading
from typing import Any

from remit.core.errors import AuthorityError, PackageError
from remit.executor.replay.memory import State

_FORM = """
CREATE TABLE IF NOT EXISTS remit_action (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, expires BIGINT NOT NULL
)
"""
_FACTS = "CREATE TABLE IF NOT EXISTS remit_fact (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
_LASTING = {"fsync": ("on",), "synchronous_commit": ("on", "remote_write", "remote_apply"), "full_page_writes": ("on",)}


class PostgresMemory:
    """One server, by its connection string, which threads may share. A broken connection is reopened for the next call."""

    def __init__(self, address: str) -> None:
        try:
            import psycopg  # noqa: PLC0415  only who uses it needs it
        except ImportError:
            raise PackageError("psycopg", "postgres") from None
        self._psycopg: Any = psycopg
        self._address = address
        self._lock = threading.Lock()
        self._link: Any = None
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        for name, values in _LASTING.items():
            found = self._run(f"SHOW {name}").fetchone()[0]
            if found not in values:
                raise AuthorityError(f"this PostgreSQL may forget: `{name}` is `{found}`", f"set {name} to {values[0]}")
        self._run("SELECT pg_advisory_lock(7301)")  # two executors may start at once
        self._run(_FORM)
        self._run(_FACTS)
        self._run("SELECT pg_advisory_unlock(7301)")

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """See `Memory`. An existing mark is never replaced: an insertion that conflicts changes nothing."""
        if expires <= now:
            return False
        insert = "INSERT INTO remit_action VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
        return bool(self._run(insert, (action_id, owner, str(State.STARTED), expires)).rowcount == 1)

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """See `Memory`."""
        update = "UPDATE remit_action SET state = %s WHERE name = %s AND owner = %s AND state = %s"
        self._run(update, (str(state), action_id, owner, str(State.STARTED)))

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """See `Memory`."""
        found = self._run("SELECT name FROM remit_action WHERE owner = %s AND state = %s", (owner, str(State.STARTED)))
        return tuple(row[0] for row in found.fetchall())

    def forget(self, now: int) -> int:
        """See `Memory`."""
        return int(
            self._run(
                "DELETE FROM remit_action WHERE expires <= %s AND state <> %s", (now, str(State.STARTED))
            ).rowcount
        )

    def state(self, action_id: str) -> State | None:
        """See `Memory`."""
        row = self._run("SELECT state FROM remit_action WHERE name = %s", (action_id,)).fetchone()
        return State(row[0]) if row else None

    def identity(self) -> str:
        """See `Memory`."""
        insert = "INSERT INTO remit_fact VALUES ('identity', %s) ON CONFLICT DO NOTHING"
        self._run(insert, (secrets.token_hex(16),))
        return str(self._run("SELECT value FROM remit_fact WHERE name = 'identity'").fetchone()[0])

    def advance(self, epoch: int) -> int:
        """See `Memory`."""
        insert = (
            "INSERT INTO remit_fact VALUES ('epoch', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            " WHERE excluded.value::bigint > remit_fact.value::bigint"
        )
        self._run(insert, (str(epoch),))
        return int(self._run("SELECT value FROM remit_fact WHERE name = 'epoch'").fetchone()[0])

    def close(self) -> None:
        """See `Memory`."""
        with self._lock:
            if self._link is not None:
                self._link.close()

    def _run(self, text: str, values: tuple[Any, ...] = ()) -> Any:
        """Run one statement as its own transaction. An error never counts as success, and nothing is retried."""
        with self._lock:
            try:
                if self._link is None or self._link.closed:
                    self._link = self._psycopg.connect(self._address, autocommit=True, connect_timeout=5)
                return self._link.execute(text, values)
            except self._psycopg.Error as error:
                message = f"the memory of actions cannot be used: {type(error).__name__}"
                raise AuthorityError(message, "see that PostgreSQL runs") from None
