"""Marks in an SQLite file, for executors on one machine. A mark is on the disk before `mark` says yes.

A file that was moved away or replaced under a running executor is not written to any more: marks in it would be lost.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError
from remit.executor.replay.memory import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FORM = """
CREATE TABLE IF NOT EXISTS action (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID
"""


class SqliteMemory:
    """One file; threads may share it."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        with self._failing():
            self._store = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._store.execute("PRAGMA journal_mode = WAL")
            self._store.execute("PRAGMA synchronous = FULL")
            self._store.execute(_FORM)
            self._path, self._file = path, _identity(path)

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """See `Memory`. What is there is never replaced: an insertion that meets a row changes nothing."""
        if expires <= now:
            return False
        with self._failing():
            if _identity(self._path) != self._file:
                raise sqlite3.OperationalError("its file was replaced")
            done = self._store.execute(
                "INSERT INTO action VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
                (action_id, owner, State.STARTED, expires),
            )
        return done.rowcount == 1

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """See `Memory`."""
        with self._failing():
            self._store.execute(
                "UPDATE action SET state = ? WHERE name = ? AND owner = ? AND state = ?",
                (state, action_id, owner, State.STARTED),
            )

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """See `Memory`."""
        with self._failing():
            found = self._store.execute("SELECT name FROM action WHERE owner = ? AND state = ?", (owner, State.STARTED))
            return tuple(row[0] for row in found)

    def forget(self, now: int) -> int:
        """See `Memory`."""
        with self._failing():
            return self._store.execute(
                "DELETE FROM action WHERE expires <= ? AND state != ?", (now, State.STARTED)
            ).rowcount

    def close(self) -> None:
        """See `Memory`."""
        with self._lock:
            self._store.close()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """An error of the store is never a yes."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                raise AuthorityError(
                    f"the memory of actions can not be used: {error}", "repair the file, or restore it"
                ) from None


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
