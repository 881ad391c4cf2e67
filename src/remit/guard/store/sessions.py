"""Stored sessions: one JSON document each, replaced only by a writer that has seen the newest revision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError

if TYPE_CHECKING:
    from remit.guard.store.database import Store


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
