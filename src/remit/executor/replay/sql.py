"""Replay stores in SQL: SQLite for executors on one machine, PostgreSQL for several. A mark is on disk before `mark`
returns.
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from remit.authority.store import Store
from remit.core.errors import AuthorityError
from remit.executor.replay.memory import State
from remit.executor.tables import PostgresState

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.tables import State as Tables

_FORM = """
CREATE TABLE IF NOT EXISTS action (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID
"""
_WHOSE = "the memory of actions"
_NAMES = ((re.compile(r"\b(action|fact)\b"), r"remit_\1"),)  # of the tables in a database that others may use too
# settings of a server with which it forgets nothing that it confirmed
_LASTING = {"fsync": "on", "full_page_writes": "on"}


class SqlMemory:
    """Tables of actions and facts, which threads may share. Each change is safe among all executors."""

    def __init__(self, store: Tables) -> None:
        self._store = store

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """See `Memory`. An existing mark is never replaced: an insertion that conflicts changes nothing."""
        if expires <= now:
            return False
        with self._store.change() as link:
            done = link.execute(
                "INSERT INTO action VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
                (action_id, owner, State.STARTED, expires),
            )
        return bool(done.rowcount == 1)

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """See `Memory`. It need not be durable: the log has the end already, and restores it at the next start."""
        with self._store.change(durable=False) as link:
            link.execute(
                "UPDATE action SET state = ? WHERE name = ? AND owner = ? AND state = ?",
                (state, action_id, owner, State.STARTED),
            )

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """See `Memory`."""
        with self._store.look() as link:
            found = link.execute("SELECT name FROM action WHERE owner = ? AND state = ?", (owner, State.STARTED))
            return tuple(row[0] for row in found)

    def forget(self, now: int) -> int:
        """See `Memory`."""
        with self._store.change() as link:
            done = link.execute("DELETE FROM action WHERE expires <= ? AND state != ?", (now, State.STARTED))
        return int(done.rowcount)

    def state(self, action_id: str) -> State | None:
        """See `Memory`."""
        with self._store.look() as link:
            row = link.execute("SELECT state FROM action WHERE name = ?", (action_id,)).fetchone()
        return State(row[0]) if row else None

    def identity(self) -> str:
        """See `Memory`."""
        with self._store.change() as link:
            link.execute("INSERT INTO fact VALUES ('identity', ?) ON CONFLICT DO NOTHING", (secrets.token_hex(16),))
            return str(link.execute("SELECT value FROM fact WHERE name = 'identity'").fetchone()[0])

    def advance(self, epoch: int) -> int:
        """See `Memory`."""
        with self._store.change() as link:
            link.execute(
                "INSERT INTO fact AS kept VALUES ('epoch', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
                " WHERE CAST(excluded.value AS INTEGER) > CAST(kept.value AS INTEGER)", (str(epoch),),
            )  # fmt: skip
            return int(link.execute("SELECT value FROM fact WHERE name = 'epoch'").fetchone()[0])

    def close(self) -> None:
        """See `Memory`."""
        self._store.close()


class SqliteMemory(SqlMemory):
    """One file."""

    def __init__(self, path: Path) -> None:
        super().__init__(Store(path, _FORM, whose=_WHOSE))


class PostgresMemory(SqlMemory):
    """One server, by its connection string. One that may lose confirmed writes is refused."""

    def __init__(self, address: str) -> None:
        store = PostgresState(address, _FORM, whose=_WHOSE, schema="", alone=False, words=_NAMES)
        super().__init__(store)
        try:
            _refuse_forgetful(store)
        except BaseException:
            self.close()
            raise


def _refuse_forgetful(store: PostgresState) -> None:
    with store.look() as link:
        for name, value in _LASTING.items():
            found = link.execute(f"SHOW {name}").fetchone()[0]
            if found != value:
                raise AuthorityError(f"this PostgreSQL may forget: `{name}` is `{found}`", f"set {name} to {value}")
