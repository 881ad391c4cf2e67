"""The file of the store: created atomically, with a known schema, and changed in transactions.

It is created under another name and then linked into place, so that an empty file there is damage and never a
beginning.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.state_folder import private_file

if TYPE_CHECKING:
    from pathlib import Path

_WAIT = 5.0  # seconds to wait for another process; each locks the store only briefly
_MARK = 0x524D4744  # marks the file as ours
_REMEDY = "put the file aside if it is broken; sessions, approvals and grants in it are then lost, and asked for again"

# One migration for each version; a released migration is never changed.
_STEPS = (
    """
CREATE TABLE sessions (
    host TEXT NOT NULL, session TEXT NOT NULL,
    revision INTEGER NOT NULL, touched INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (host, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_age ON sessions (touched);
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL, host TEXT NOT NULL, session TEXT NOT NULL, principal TEXT NOT NULL, shown TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('pending', 'approved-once', 'approved-session', 'denied', 'spent', 'expired')),
    created INTEGER NOT NULL, expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX approvals_by_subject ON approvals (host, session, principal, subject, state);
CREATE INDEX approvals_by_state ON approvals (state, expires);
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    principal TEXT NOT NULL, entry TEXT NOT NULL,
    created INTEGER NOT NULL, expires INTEGER, revoked INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_principal ON grants (principal);
CREATE TABLE trusted (
    path TEXT PRIMARY KEY,
    digest TEXT NOT NULL, created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
""",
    # where a grant holds and for which content of the skill; who answered; what was trusted, to show later changes
    """
ALTER TABLE grants ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN content TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE trusted ADD COLUMN said TEXT NOT NULL DEFAULT ''
""",
    # answers of persons, so that the same is not asked again
    """
CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    principal TEXT NOT NULL, workspace TEXT NOT NULL, content TEXT NOT NULL,
    rule TEXT NOT NULL, about TEXT NOT NULL, sentence TEXT NOT NULL, created INTEGER NOT NULL,
    UNIQUE (principal, workspace, content, rule, about)
) STRICT, WITHOUT ROWID
""",
)


class Store:
    """An open store. Threads may share it: they take turns."""

    def __init__(self, path: Path, link: sqlite3.Connection) -> None:
        self._path = path
        self._link = link
        self._turn = threading.RLock()

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the result of a query, or of one changing statement; each statement is a transaction."""
        with self._turn, failing(self._path):
            return self._link.execute(query, values).fetchall()

    def change(self, query: str, values: Sequence[object] = (), *, durable: bool = False) -> list[tuple[Any, ...]]:
        """Execute one changing statement, which must have RETURNING. A durable one survives a power failure."""
        with self._turn, failing(self._path):
            self._link.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            return self._link.execute(query, values).fetchall()

    def changes_of_others(self) -> int:
        """Return a number that changes when another process changed the store: cached values must be read again."""
        try:  # called for every event: the same as `failing`, without its cost
            with self._turn:
                return int(self._link.execute("PRAGMA data_version").fetchone()[0])
        except _FAILURES as error:
            raise _failure(self._path, error) from None

    def close(self) -> None:
        """Close the store."""
        with self._turn, contextlib.suppress(sqlite3.Error):
            self._link.close()


@contextmanager
def failing(path: Path) -> Iterator[None]:
    """Convert failures of the store into an error that denies."""
    try:
        yield
    except _FAILURES as error:
        raise _failure(path, error) from None


_FAILURES = (sqlite3.Error, sqlite3.Warning, OSError, UnicodeError, OverflowError)


def _failure(path: Path, error: BaseException) -> GuardError:
    return GuardError(f"the store `{path}`: {str(error).lower()}", _REMEDY)


def open_store(path: Path) -> Store:
    """Open `guard.db`, created if it does not exist."""
    with failing(path):
        if not os.path.lexists(path):
            if os.path.lexists(f"{path}-wal"):
                raise GuardError(f"the store `{path}` is gone, and what belongs to it is still there", _REMEDY)
            _make(path)
        private_file(path)
        place = f"{path.as_uri()}?mode=rw"
        link = sqlite3.connect(place, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            _check(path, link)
        except BaseException:
            link.close()
            raise
    return Store(path, link)


def _make(path: Path) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(draft, isolation_level=None)) as link:
            link.execute("PRAGMA journal_mode = WAL")
            link.execute(f"PRAGMA application_id = {_MARK}")
            _migrate(link)
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _check(path: Path, link: sqlite3.Connection) -> None:
    """Check that the file is a store with a known schema, and undamaged."""
    if _pragma(link, "application_id") != _MARK:
        raise GuardError(f"the store `{path}` is empty or of another program", _REMEDY)
    version = _pragma(link, "user_version")
    if not 1 <= version <= len(_STEPS):
        raise GuardError(f"the store `{path}` is of another version of Remit", "use the newest one, or put it aside")
    if link.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise GuardError(f"the store `{path}` is damaged", _REMEDY)
    if version < len(_STEPS):
        _migrate(link)


def _migrate(link: sqlite3.Connection) -> None:
    """Apply missing migrations in one transaction; of two processes the second finds nothing to do."""
    link.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[_pragma(link, "user_version") :]:
            for statement in step.split(";"):
                link.execute(statement)
        link.execute(f"PRAGMA user_version = {len(_STEPS)}")
        link.execute("COMMIT")
    except BaseException:
        link.execute("ROLLBACK")
        raise


def _pragma(link: sqlite3.Connection, name: str) -> int:
    return int(link.execute(f"PRAGMA {name}").fetchone()[0])
