"""The store of earlier admissions: the trust root, and the newest version of each skill by each signer. One small SQLite
file.

If the store cannot be read or written, admission refuses, because an attacker would gain from a lost store. It is created under another name and
then linked to its location, so that an empty file there means damage, never a new store.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from remit.bundle.refusal import Refusal, refuse
from remit.skill.open_files import is_own

if TYPE_CHECKING:
    import sqlite3

NAME = "state.db"
_WAIT = 20.0  # seconds for another process to finish; each holds the store for a moment
_MARK = 0x524D5431  # says that the file is ours
_FORM = 2
_TABLES = """
CREATE TABLE pin (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL, digest TEXT NOT NULL, root BLOB NOT NULL
) STRICT;
CREATE TABLE seen (
    skill TEXT NOT NULL, signer TEXT NOT NULL,
    version TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (skill, signer)
) STRICT, WITHOUT ROWID;
"""
# from the first form, in which versions had no signer: whoever goes on must go on from there
_RENEW = (
    "ALTER TABLE seen RENAME TO before",
    _TABLES[_TABLES.index("CREATE TABLE seen") :],
    "INSERT INTO seen SELECT skill, '', version, content FROM before",
    "DROP TABLE before",
    f"PRAGMA user_version = {_FORM}",
)

Result = TypeVar("Result")


def state_folder() -> Path:
    """Return the folder of the store: `$XDG_STATE_HOME/remit`, or `~/.local/state/remit`."""
    base = os.environ.get("XDG_STATE_HOME", "")
    home = Path(base) if base and os.path.isabs(base) else Path(os.path.expanduser("~")) / ".local" / "state"  # noqa: PTH111, PTH117
    return home / "remit"


def transact(folder: Path, work: Callable[[sqlite3.Connection], Result | Refusal]) -> Result | Refusal:
    """Run a function on the store as one transaction.

    A refusal leaves the store as it was.
    """
    import sqlite3  # noqa: PLC0415  most commands need no store

    try:
        place = f"{_prepared(folder).absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(place, uri=True, timeout=_WAIT, isolation_level=None)) as store:
            store.execute("PRAGMA synchronous = FULL")
            store.execute("BEGIN IMMEDIATE")
            _check(store)
            result = work(store)
            store.execute("ROLLBACK" if isinstance(result, Refusal) else "COMMIT")
            return result
    except (sqlite3.Error, OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return refuse("store-unusable", f"the store in `{folder}`: {reason}")


def _prepared(folder: Path) -> Path:
    """Return the file of the store, created if missing; no other user may write to it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / NAME
    _own(folder)
    if not path.exists():
        if path.with_name(f"{NAME}-wal").exists():
            raise ValueError("its file is gone, and what belongs to it is still there")
        _make(path)
    _own(path)
    return path


def _own(path: Path) -> None:
    state = path.stat()
    if not is_own(state):
        raise ValueError(f"`{path.name}` can be changed by others (mode {stat.S_IMODE(state.st_mode):04o})")


def _make(path: Path) -> None:
    import sqlite3  # noqa: PLC0415

    draft = path.with_name(f".{NAME}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(draft, isolation_level=None)) as store:
            store.execute("PRAGMA journal_mode = WAL")
            store.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {_MARK}; PRAGMA user_version = {_FORM}; COMMIT;"
            )
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _check(store: sqlite3.Connection) -> None:
    """Raise an error unless the file is an intact store of this format."""
    mark, form = (store.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if mark != _MARK or form not in (1, _FORM):
        raise ValueError("its file is empty, of another program, or of another version of this one")
    if store.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise ValueError("its file is damaged")
    for step in _RENEW if form == 1 else ():
        store.execute(step)
