"""Questions to a person, and answers. An approval of one call is spent in one statement, so that it admits exactly one
call.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.store.sessions import read_json, write_json

if TYPE_CHECKING:
    from remit.guard.store.database import Store

_COLUMNS = "id, subject, host, session, principal, shown, state, created, expires, who"
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


class Asked(NamedTuple):
    """What an approval is about: the exact request of one principal in one session."""

    host: str
    session: str
    principal: str
    subject: str


def ask_approval(store: Store, asked: Asked, shown: Mapping[str, Any], *, now: int, expires: int) -> Approval:
    """Return a pending question. A question that is asked again is stored once."""
    text = write_json(shown)
    for _ in range(3):
        rows = store.rows(
            f"SELECT {_COLUMNS} FROM approvals WHERE {_WHOSE} AND state = 'pending' AND expires > ?",  # noqa: S608
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


def _refuse_flood(store: Store, asked: Asked, now: int) -> None:
    """Refuse a flood of questions: it tires people and fills the disk."""
    rows = store.rows(
        "SELECT count(*) FROM approvals WHERE state = 'pending' AND expires > ? AND host = ? AND session = ?",
        (now, asked.host, asked.session),
    )
    if rows[0][0] >= MOST:
        raise GuardError("too many questions of this session wait for an answer", "answer them with `remit approvals`")


def approval(store: Store, name: str) -> Approval | None:
    """Return an approval by its id."""
    rows = store.rows(f"SELECT {_COLUMNS} FROM approvals WHERE id = ?", (name,))  # noqa: S608
    return _approval(rows[0]) if rows else None


def approvals(store: Store, state: State, now: int) -> tuple[Approval, ...]:
    """Return the unexpired approvals in this state, the oldest first."""
    rows = store.rows(
        f"SELECT {_COLUMNS} FROM approvals WHERE state = ? AND expires > ? ORDER BY created, id",  # noqa: S608
        (state, now),
    )
    return tuple(map(_approval, rows))


def answer_approval(store: Store, name: str, state: State, *, now: int, who: str = "") -> Approval:
    """Store a person's answer. Only a pending question can be answered, and only once."""
    if state not in ANSWERS:
        raise GuardError(f"`{state}` is no answer", "approve once, for the session, or deny")
    rows = store.change(
        f"UPDATE approvals SET state = ?, who = ? WHERE id = ? AND state = 'pending' AND expires > ? RETURNING {_COLUMNS}",  # noqa: S608
        (state, who, name, now),
        durable=True,
    )
    if not rows:
        raise GuardError(f"`{name}` is not waiting for an answer", "remit approvals lists those that are")
    return _approval(rows[0])


def spend_approval(store: Store, asked: Asked, *, now: int) -> Approval | None:
    """Use up an approval of one call; None if there is none left. Of several simultaneous callers, one gets it."""
    rows = store.change(
        "UPDATE approvals SET state = 'spent' WHERE state = 'approved-once' AND id ="  # noqa: S608
        f" (SELECT id FROM approvals WHERE {_WHOSE} AND state = 'approved-once' AND expires > ? ORDER BY created LIMIT 1)"
        f" RETURNING {_COLUMNS}",
        (*asked, now),
        durable=True,
    )
    return _approval(rows[0]) if rows else None


def standing_approval(store: Store, asked: Asked, *, now: int) -> Approval | None:
    """Return the answer to this request for the whole session, which is not used up. A denial takes precedence over an
    approval.
    """
    rows = store.rows(
        f"SELECT {_COLUMNS} FROM approvals WHERE {_WHOSE} AND state IN ('approved-session', 'denied') AND expires > ?"  # noqa: S608
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
