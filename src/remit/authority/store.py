"""The SQLite file of a party. Each change is one transaction among all processes, and an error never counts as consent.

Remit stops writing to a file that was moved away or replaced under a running party, because the writes would be lost.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from pathlib import Path

FAILURES = (sqlite3.Error, OSError)  # of a file that cannot be used


def unusable(whose: str, error: Exception) -> AuthorityError:
    """Return the error that a caller gets when a store cannot be used."""
    return AuthorityError(f"{whose} cannot be used: {error}", "repair the file, or restore it")


class Store:
    """One file, which threads may share. A durable one has on disk whatever it reported as stored. `whose`: its name in
    errors.
    """

    def __init__(self, path: Path, form: str, *, whose: str = "the gateway's memory", durable: bool = True) -> None:
        self._lock = threading.Lock()
        self._whose = whose
        with self._failing():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            self._link = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._link.execute("PRAGMA journal_mode = WAL")
            self._durable = durable
            self._waits: bool | None = None
            self._wait_for_disk(wait=durable)
            self._link.execute("PRAGMA secure_delete = ON")
            for statement in form.split(";"):
                self._link.execute(statement)
            self._path, self._file = path, _identity(path)

    @contextmanager
    def change(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Run the body as one transaction, with all other writers locked out.

        `durable`: False if a machine that loses power may forget it.
        """
        with self._failing():
            if _identity(self._path) != self._file:
                raise sqlite3.OperationalError("its file was replaced")
            self._wait_for_disk(wait=durable and self._durable)
            self._link.execute("BEGIN IMMEDIATE")
            try:
                yield self._link
                self._link.execute("COMMIT")
            except BaseException:
                if self._link.in_transaction:  # a full disk ends it by itself
                    self._link.execute("ROLLBACK")
                raise

    def _wait_for_disk(self, *, wait: bool) -> None:
        """Set whether the next changes wait for the disk."""
        if wait is not self._waits:
            self._link.execute(f"PRAGMA synchronous = {'FULL' if wait else 'NORMAL'}")
            self._waits = wait

    @contextmanager
    def look(self) -> Iterator[sqlite3.Connection]:
        """Open the store for reading."""
        with self._failing():
            yield self._link

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            self._link.close()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except FAILURES as error:
                raise unusable(self._whose, error) from None


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
