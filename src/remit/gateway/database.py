"""One SQLite file of the gateway: each change is one whole transaction among all processes, and an error is never a yes."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Database:
    """One file; threads may share it. A durable one has on the disk what it says that it has."""

    def __init__(self, path: Path, form: str, *, durable: bool = True) -> None:
        self._lock = threading.Lock()
        with self._failing():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            self._link = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._link.execute("PRAGMA journal_mode = WAL")
            self._link.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._link.execute("PRAGMA secure_delete = ON")
            for statement in form.split(";"):
                self._link.execute(statement)

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """All that is done within happens together or not at all; no other process changes anything meanwhile."""
        with self._failing():
            self._link.execute("BEGIN IMMEDIATE")
            try:
                yield self._link
            except BaseException:
                self._link.execute("ROLLBACK")
                raise
            self._link.execute("COMMIT")

    @contextmanager
    def look(self) -> Iterator[sqlite3.Connection]:
        """For reading."""
        with self._failing():
            yield self._link

    def close(self) -> None:
        """No more."""
        with self._lock:
            self._link.close()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                raise AuthorityError(f"the gateway's memory can not be used: {error}", "repair the file") from None
