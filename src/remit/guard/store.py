"""The guard's database: sessions, approvals, grants, trusted files. One SQLite file, `guard.db`.

Values go in and come out, with one function for each query. The time is passed in, never looked up. A store that cannot
be read or written raises GuardError, and the caller denies: an attacker would like the guard to forget.

The file is created under another name and then linked into place, so that an empty file there is damage and never a
beginning.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.state_folder import private_file
from remit.manifest.read import parse_defaults

if TYPE_CHECKING:
    from remit.manifest.model import Permission


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


class StoredSession(NamedTuple):
    """A document, and the number of its revisions."""

    revision: int
    value: dict[str, Any]


class SessionSummary(NamedTuple):
    """A session, and the time of its last activity."""

    host: str
    session: str
    touched: int


def list_sessions(store: Store) -> tuple[SessionSummary, ...]:
    """Return all known sessions, the newest first."""
    rows = store.rows("SELECT host, session, touched FROM sessions ORDER BY touched DESC, host, session")
    return tuple(SessionSummary(*row) for row in rows)


def load_session(store: Store, host: str, session: str) -> StoredSession | None:
    """Return the newest document of a session; None if the session is unknown."""
    rows = store.rows("SELECT revision, value FROM sessions WHERE host = ? AND session = ?", (host, session))
    return StoredSession(rows[0][0], read_json(rows[0][1])) if rows else None


def save_session(
    store: Store, host: str, session: str, value: Mapping[str, Any], *, revision: int, now: int
) -> int | None:
    """Replace revision `revision` (0: none yet). Return the new revision; None if another process was faster."""
    text = write_json(value)
    if revision:
        rows = store.change(
            "UPDATE sessions SET revision = revision + 1, touched = ?, value = ?"
            " WHERE host = ? AND session = ? AND revision = ? RETURNING revision",
            (now, text, host, session, revision),
        )
    else:
        rows = store.change(
            "INSERT INTO sessions (host, session, revision, touched, value) VALUES (?, ?, 1, ?, ?)"
            " ON CONFLICT DO NOTHING RETURNING revision",
            (host, session, now, text),
        )
    return int(rows[0][0]) if rows else None


def write_json(value: Mapping[str, Any]) -> str:
    """Return a document as JSON, always in the same form."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise GuardError(f"what is to be remembered is not JSON: {error}", "report it") from None


def read_json(text: str) -> dict[str, Any]:
    """Parse a document that we wrote."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GuardError(f"what was remembered is broken: {error}", "put `guard.db` aside") from None
    if not isinstance(found, dict):
        raise GuardError("what was remembered is broken: it is no object", "put `guard.db` aside")
    return found


_APPROVAL = "id, subject, host, session, principal, shown, state, created, expires, who"
_WHOSE = "host = ? AND session = ? AND principal = ? AND subject = ?"


class State(StrEnum):
    """The state of an approval."""

    PENDING = "pending"
    ONCE = "approved-once"
    SESSION = "approved-session"
    DENIED = "denied"
    SPENT = "spent"
    EXPIRED = "expired"


ANSWERS = frozenset({State.ONCE, State.SESSION, State.DENIED, State.SPENT})  # spent: a grant replaced it
MOST = 100  # pending questions of one session


class Approval(NamedTuple):
    """One question to a person. Times are in seconds since 1970."""

    id: str
    subject: str  # digest of the exact request
    host: str
    session: str
    principal: str
    shown: Mapping[str, Any]
    state: State
    created: int
    expires: int
    who: str = ""  # who answered it


class ApprovalSubject(NamedTuple):
    """What an approval is about: the exact request of one principal in one session."""

    host: str
    session: str
    principal: str
    subject: str


def ask_approval(store: Store, asked: ApprovalSubject, shown: Mapping[str, Any], *, now: int, expires: int) -> Approval:
    """Return a pending question. A question that is asked again is stored once."""
    text = write_json(shown)
    for _ in range(3):
        rows = store.rows(
            f"SELECT {_APPROVAL} FROM approvals WHERE {_WHOSE} AND state = 'pending' AND expires > ?",  # noqa: S608
            (*asked, now),
        )
        if rows:
            return _approval(rows[0])
        _refuse_flood(store, asked, now)
        # One statement checks and inserts, so that two simultaneous hooks do not store two questions.
        store.change(
            "INSERT INTO approvals (id, host, session, principal, subject, shown, state, created, expires)"  # noqa: S608
            " SELECT ?, ?, ?, ?, ?, ?, 'pending', ?, ? WHERE NOT EXISTS"
            f" (SELECT 1 FROM approvals WHERE {_WHOSE} AND state = 'pending' AND expires > ?) RETURNING id",
            (secrets.token_hex(5), *asked, text, now, expires, *asked, now),
            durable=True,
        )
    raise GuardError("a question to a person could not be put", "its time is over before it begins")


def _refuse_flood(store: Store, asked: ApprovalSubject, now: int) -> None:
    """Refuse a flood of questions: it tires people and fills the disk."""
    rows = store.rows(
        "SELECT count(*) FROM approvals WHERE state = 'pending' AND expires > ? AND host = ? AND session = ?",
        (now, asked.host, asked.session),
    )
    if rows[0][0] >= MOST:
        raise GuardError("too many questions of this session wait for an answer", "answer them with `remit approvals`")


def approval(store: Store, name: str) -> Approval | None:
    """Return an approval by its id."""
    rows = store.rows(f"SELECT {_APPROVAL} FROM approvals WHERE id = ?", (name,))  # noqa: S608
    return _approval(rows[0]) if rows else None


def approvals(store: Store, state: State, now: int) -> tuple[Approval, ...]:
    """Return the unexpired approvals in this state, the oldest first."""
    rows = store.rows(
        f"SELECT {_APPROVAL} FROM approvals WHERE state = ? AND expires > ? ORDER BY created, id",  # noqa: S608
        (state, now),
    )
    return tuple(map(_approval, rows))


def answer_approval(store: Store, name: str, state: State, *, now: int, who: str = "") -> Approval:
    """Store a person's answer. Only a pending question can be answered, and only once."""
    if state not in ANSWERS:
        raise GuardError(f"`{state}` is no answer", "approve once, for the session, or deny")
    rows = store.change(
        f"UPDATE approvals SET state = ?, who = ? WHERE id = ? AND state = 'pending' AND expires > ? RETURNING {_APPROVAL}",  # noqa: S608
        (state, who, name, now),
        durable=True,
    )
    if not rows:
        raise GuardError(f"`{name}` is not waiting for an answer", "remit approvals lists those that are")
    return _approval(rows[0])


def spend_approval(store: Store, asked: ApprovalSubject, *, now: int) -> Approval | None:
    """Use up an approval of one call; None if there is none left. Of several simultaneous callers, one gets it."""
    rows = store.change(
        "UPDATE approvals SET state = 'spent' WHERE state = 'approved-once' AND id ="  # noqa: S608
        f" (SELECT id FROM approvals WHERE {_WHOSE} AND state = 'approved-once' AND expires > ? ORDER BY created LIMIT 1)"
        f" RETURNING {_APPROVAL}",
        (*asked, now),
        durable=True,
    )
    return _approval(rows[0]) if rows else None


def standing_approval(store: Store, asked: ApprovalSubject, *, now: int) -> Approval | None:
    """Return the answer to this request for the whole session, not used up; a denial goes before an approval."""
    rows = store.rows(
        f"SELECT {_APPROVAL} FROM approvals WHERE {_WHOSE} AND state IN ('approved-session', 'denied') AND expires > ?"  # noqa: S608
        " ORDER BY state = 'denied' DESC, created LIMIT 1",
        (*asked, now),
    )
    return _approval(rows[0]) if rows else None


def expire_approvals(store: Store, *, now: int) -> int:
    """Mark expired approvals; return their number. They admit nothing even before that."""
    rows = store.change(
        "UPDATE approvals SET state = 'expired' WHERE state IN ('pending', 'approved-once', 'approved-session')"
        " AND expires <= ? RETURNING id",
        (now,),
    )
    return len(rows)


def _approval(row: tuple[Any, ...]) -> Approval:
    name, subject, host, session, principal, shown, state, created, expires, who = row
    return Approval(name, subject, host, session, principal, read_json(shown), State(state), created, expires, who)


_GRANT = "id, principal, entry, created, expires, revoked, workspace, content"


class Grant(NamedTuple):
    """One entry that a person added to the rights of a principal. Times are in seconds since 1970."""

    id: str
    principal: str
    entry: Mapping[str, Any]
    created: int
    expires: int | None  # None: it does not expire
    revoked: int | None = None
    workspace: str = ""  # the folder in which it holds; empty: everywhere
    content: str = ""  # the digest of the skill that gets it; empty: any skill of that name

    def holds(self, now: int) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or self.expires > now)


def add_grant(
    store: Store,
    principal: str,
    entry: Mapping[str, Any],
    *,
    now: int,
    expires: int | None,
    workspace: str = "",
    content: str = "",
) -> Grant:
    """Store a grant. The entry is stored as canonical JSON."""
    rows = store.change(
        "INSERT INTO grants (id, principal, entry, created, expires, workspace, content)"  # noqa: S608
        f" VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_GRANT}",
        (secrets.token_hex(5), principal, write_json(entry), now, expires, workspace, content),
        durable=True,
    )
    return _grant(rows[0])


def grants(store: Store, principal: str, *, now: int, workspace: str = "", content: str = "") -> tuple[Grant, ...]:
    """Return the grants that hold now for a principal, in this workspace and with this content; the oldest first."""
    rows = store.rows(
        f"SELECT {_GRANT} FROM grants WHERE principal = ? AND revoked IS NULL"  # noqa: S608
        " AND (expires IS NULL OR expires > ?) AND workspace IN ('', ?) AND content IN ('', ?) ORDER BY created, id",
        (principal, now, workspace, content),
    )
    return tuple(map(_grant, rows))


def all_grants(store: Store) -> tuple[Grant, ...]:
    """Return every grant that there ever was, for display."""
    return tuple(map(_grant, store.rows(f"SELECT {_GRANT} FROM grants ORDER BY created, id")))  # noqa: S608


def revoke_grant(store: Store, name: str, *, now: int) -> Grant:
    """End a grant."""
    rows = store.change(
        f"UPDATE grants SET revoked = ? WHERE id = ? AND revoked IS NULL RETURNING {_GRANT}",  # noqa: S608
        (now, name),
        durable=True,
    )
    if not rows:
        raise GuardError(f"there is no grant `{name}` to revoke", "`remit approvals grants` lists them")
    return _grant(rows[0])


def _grant(row: tuple[Any, ...]) -> Grant:
    name, principal, entry, created, expires, revoked, workspace, content = row
    return Grant(name, principal, read_json(entry), created, expires, revoked, workspace, content)


def read_entries(values: Sequence[Any]) -> tuple[Permission, ...]:
    """Parse stored entries. An invalid one is an error: to ignore a denial or a limit would widen rights."""
    if not values:
        return ()
    text = json.dumps({"session_defaults": {"permissions": list(values)}})
    return tuple(entry._replace(line=0) for entry in parse_defaults(text.encode(), "guard.db").permissions)


_ANSWER = "id, principal, workspace, content, rule, about, sentence, created"


class RememberedAnswer(NamedTuple):
    """An approval. Times are in seconds since 1970."""

    id: str
    principal: str  # the skill; empty for the agent itself
    workspace: str
    content: str  # the digest of the skill then: if it changed, the question is asked again
    rule: str
    about: str
    sentence: str
    created: int


def remember_answer(store: Store, answer: RememberedAnswer) -> None:
    """Store an approval. Repeating it changes nothing."""
    store.change(
        f"INSERT OR IGNORE INTO answers ({_ANSWER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",  # noqa: S608
        (answer.id or secrets.token_hex(5), *answer[1:]),
        durable=True,
    )


def answered(store: Store, principals: Iterable[tuple[str, str]], workspace: str) -> frozenset[tuple[str, str]]:
    """Return the rules and objects that persons approved, for principals by name and content, in a workspace."""
    query = "SELECT rule, about FROM answers WHERE principal = ? AND workspace = ? AND content IN ('', ?)"
    found = (store.rows(query, (principal, workspace, content)) for principal, content in principals)
    return frozenset(row for rows in found for row in rows)


def all_answers(store: Store) -> tuple[RememberedAnswer, ...]:
    """Return all of them, the oldest first."""
    rows = store.rows(f"SELECT {_ANSWER} FROM answers ORDER BY created, id")  # noqa: S608
    return tuple(RememberedAnswer(*row) for row in rows)


def remove_answer(store: Store, name: str) -> RememberedAnswer:
    """Delete one: the question is asked again."""
    rows = store.change(f"DELETE FROM answers WHERE id = ? RETURNING {_ANSWER}", (name,), durable=True)  # noqa: S608
    if not rows:
        raise GuardError(f"there is no remembered answer `{name}`", "`remit guard answers` lists them")
    return RememberedAnswer(*rows[0])


def trusted_digest(store: Store, path: str) -> str | None:
    """Return the digest under which a file is trusted; None if it is not."""
    rows = store.rows("SELECT digest FROM trusted WHERE path = ?", (path,))
    return str(rows[0][0]) if rows else None


def trust_file(store: Store, path: str, digest: str, *, now: int, said: str = "") -> None:
    """Trust a file's present content, replacing the former one. `said` is its text, to show later changes."""
    store.change(
        "INSERT INTO trusted (path, digest, created, said) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, created = excluded.created, said = excluded.said"
        " RETURNING path",
        (path, digest, now, said),
        durable=True,
    )


def trusted_text(store: Store, path: str) -> str:
    """Return the text of a file when it was trusted; empty if it was not stored."""
    rows = store.rows("SELECT said FROM trusted WHERE path = ?", (path,))
    return str(rows[0][0]) if rows else ""


def forget_file(store: Store, path: str) -> bool:
    """Remove trust in a file; return whether it was trusted."""
    return bool(store.change("DELETE FROM trusted WHERE path = ? RETURNING path", (path,), durable=True))


def trusted_files(store: Store) -> dict[str, str]:
    """Return every trusted file, with its digest."""
    return {str(path): str(digest) for path, digest in store.rows("SELECT path, digest FROM trusted ORDER BY path")}
