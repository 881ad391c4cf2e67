"""What persons granted for longer than a session. A grant is never changed: it ends, or it is revoked."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.store.sessions import read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.guard.store.opening import Store

_COLUMNS = "id, principal, entry, created, expires, revoked"


class Grant(NamedTuple):
    """One entry that a person added to the rights of a principal. Seconds since 1970."""

    id: str
    principal: str
    entry: Mapping[str, Any]
    created: int
    expires: int | None  # None: it does not end by itself
    revoked: int | None = None


def add_grant(store: Store, principal: str, entry: Mapping[str, Any], *, now: int, expires: int | None) -> Grant:
    """Grant it. The entry is kept as canonical JSON."""
    rows = store.change(
        f"INSERT INTO grants (id, principal, entry, created, expires) VALUES (?, ?, ?, ?, ?) RETURNING {_COLUMNS}",  # noqa: S608
        (secrets.token_hex(5), principal, write_json(entry), now, expires),
        durable=True,
    )
    return _grant(rows[0])


def grants(store: Store, principal: str, *, now: int) -> tuple[Grant, ...]:
    """What holds now for a principal, the oldest first."""
    rows = store.rows(
        f"SELECT {_COLUMNS} FROM grants WHERE principal = ? AND revoked IS NULL"  # noqa: S608
        " AND (expires IS NULL OR expires > ?) ORDER BY created, id",
        (principal, now),
    )
    return tuple(map(_grant, rows))


def all_grants(store: Store) -> tuple[Grant, ...]:
    """Every grant that there ever was, for people who look."""
    return tuple(map(_grant, store.rows(f"SELECT {_COLUMNS} FROM grants ORDER BY created, id")))  # noqa: S608


def revoke_grant(store: Store, name: str, *, now: int) -> Grant:
    """End a grant."""
    rows = store.change(
        f"UPDATE grants SET revoked = ? WHERE id = ? AND revoked IS NULL RETURNING {_COLUMNS}",  # noqa: S608
        (now, name),
        durable=True,
    )
    if not rows:
        raise GuardError(f"there is no grant `{name}` to revoke", "remit approvals lists the grants")
    return _grant(rows[0])


def _grant(row: tuple[Any, ...]) -> Grant:
    name, principal, entry, created, expires, revoked = row
    return Grant(name, principal, read_json(entry), created, expires, revoked)
