"""Replay store in SQLite, for executors on one machine. A mark is on disk before `mark` returns."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from remit.authority.store import Store
from remit.executor.replay.memory import State

if TYPE_CHECKING:
    from pathlib import Path

_FORM = """
CREATE TABLE IF NOT EXISTS action (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID
"""


class SqliteMemory:
    """One file; threads may share it."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path, _FORM, whose="the memory of actions")

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """See `Memory`. An existing mark is never replaced: an insertion that conflicts changes nothing."""
        if expires <= now:
            return False
        with self._store.change() as link:
            done = link.execute(
                "INSERT INTO action VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
                (action_id, owner, State.STARTED, expires),
            )
        return done.rowcount == 1

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
            return link.execute("DELETE FROM action WHERE expires <= ? AND state != ?", (now, State.STARTED)).rowcount

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
                "INSERT INTO fact VALUES ('epoch', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
                " WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER)", (str(epoch),),
            )  # fmt: skip
            return int(link.execute("SELECT value FROM fact WHERE name = 'epoch'").fetchone()[0])

    def close(self) -> None:
        """See `Memory`."""
        self._store.close()
