"""The SQLite file of a log: created atomically, opened with checks. What is no log is an error, never an empty log."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.audit.head import Places, broken, own
from remit.core.errors import AuditError

if TYPE_CHECKING:
    import sqlite3


FORM = 1
_MARK = 0x524D4C31  # marks the file as ours
_WAIT = 20.0  # seconds to wait for another process; each locks the file only briefly
_STEP, _LONGEST_STEP = 0.00005, 0.001
_FEW = 4  # records of one call
_TABLES = """
CREATE TABLE log (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL) STRICT;
INSERT INTO log VALUES (1, lower(hex(randomblob(16))));
CREATE TABLE record (number INTEGER PRIMARY KEY, text BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE head (number INTEGER NOT NULL, line TEXT NOT NULL) STRICT;
CREATE TRIGGER record_stays BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'a record stays'); END;
CREATE TRIGGER record_remains BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'a record stays'); END;
CREATE TRIGGER head_stays BEFORE UPDATE ON head BEGIN SELECT RAISE(ABORT, 'a head stays'); END;
CREATE TRIGGER head_remains BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'a head stays'); END;
"""
_ADD = tuple(
    f"INSERT INTO record VALUES {', '.join(['(?, ?, ?)'] * count)}"  # noqa: S608  question marks
    for count in range(_FEW + 1)
)


def connect(places: Places, *, write: bool) -> sqlite3.Connection:
    """Open the file of a log, checked. For writing, it is created if there is none."""
    import sqlite3  # noqa: PLC0415  who only reads values needs no database

    path = places.database
    if write:
        places.prepare()
        if not path.exists():
            _make(places)
    elif not path.exists():
        raise AuditError(f"there is no log in `{places.folder}`", "name the state folder that the guard uses")
    own(path)
    try:
        place = f"{path.absolute().as_uri()}?mode={'rw' if write else 'ro'}"
        store = sqlite3.connect(place, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            _check(store, path)
            if write:
                store.execute("PRAGMA busy_timeout = 0")  # `_patiently` waits
        except BaseException:
            store.close()
            raise
    except sqlite3.Error as error:
        found = broken(f"`{path}` is not a log that can be read", error)
        if not isinstance(error, sqlite3.OperationalError):  # it is not a database; its content may be evidence
            found.remedy = f"restore a backup, or move `{path.stem}.*` away and keep them: a new log begins"
        raise found from None
    return store


@contextmanager
def transaction(store: sqlite3.Connection, how: str) -> Iterator[None]:
    """Run a transaction. `IMMEDIATE` excludes other writers, `DEFERRED` reads a consistent state."""
    import sqlite3  # noqa: PLC0415

    try:
        _patiently(store, f"BEGIN {how}")
        try:
            yield
        except BaseException:
            store.execute("ROLLBACK")
            raise
        store.execute("COMMIT")
    except sqlite3.Error as error:
        raise broken("the file of the log cannot be used", error) from None


def add_at_once(store: sqlite3.Connection, rows: Sequence[tuple[int, bytes, bytes]]) -> bool:
    """Add a few records in one statement, a transaction by itself; False if they are many or a number is taken."""
    import sqlite3  # noqa: PLC0415

    if len(rows) > _FEW:
        return False
    try:
        _patiently(store, _ADD[len(rows)], [value for row in rows for value in row])
    except sqlite3.IntegrityError:
        return False
    except sqlite3.Error as error:
        raise broken("the file of the log cannot be used", error) from None
    return True


def changes_of_others(store: sqlite3.Connection) -> int:
    """Return a number that changes when another process has written."""
    return int(_one(store, "PRAGMA data_version"))


def newest_head(store: sqlite3.Connection) -> int | None:
    """Return the number of the newest head; None if there is none."""
    found = _one(store, "SELECT max(number) FROM head")
    return None if found is None else int(found)


def _one(store: sqlite3.Connection, query: str) -> Any:
    import sqlite3  # noqa: PLC0415

    try:
        return store.execute(query).fetchone()[0]
    except sqlite3.Error as error:
        raise broken("the file of the log cannot be used", error) from None


def _patiently(store: sqlite3.Connection, statement: str, values: Sequence[int | bytes] = ()) -> None:
    """Run a statement, and wait for other writers in short steps: SQLite's own back-off starves on a busy log."""
    import sqlite3  # noqa: PLC0415

    last, step = 0.0, _STEP
    while True:
        try:
            store.execute(statement, values)
        except sqlite3.OperationalError as error:
            last = last or time.monotonic() + _WAIT
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
            time.sleep(step)
            step = min(2 * step, _LONGEST_STEP)
        else:
            return


def _check(store: sqlite3.Connection, path: Path) -> None:
    mark, form = (store.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if mark != _MARK or form < 1:
        message = f"`{path}` is empty, damaged, or a file of another program"
        raise AuditError(
            message, "restore it from a backup; to start over, move it and `audit.heads` away and keep both"
        )
    if form > FORM:
        message = f"`{path}` is of form {form}, and this version of Remit reads formats up to {FORM}"
        raise AuditError(message, "use the version of Remit that wrote it, or a newer one")
    store.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; heads wait for the disk


def _make(places: Places) -> None:
    """Create an empty log: complete under another name, then linked; so an empty file is damage, never a beginning."""
    import sqlite3  # noqa: PLC0415

    path = places.database
    left = [name for name in (f"{path.name}-wal", places.heads.name) if path.with_name(name).exists()]
    if left and not path.exists():  # it exists if another process made it just now
        message = f"`{path}` is gone, and `{left[0]}` that belongs to it is still there"
        raise AuditError(message, "restore it from a backup; to start over, move what is left away and keep it")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(draft, isolation_level=None)) as store:
            store.execute("PRAGMA journal_mode = WAL")
            store.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {_MARK}; PRAGMA user_version = {FORM}; COMMIT;"
            )
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.link(draft, path)
    except (sqlite3.Error, OSError) as error:
        raise broken(f"`{path}` cannot be made", error) from None
    finally:
        draft.unlink(missing_ok=True)
