"""Grants by persons for longer than a session. A grant is never changed: it expires, or it is revoked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.store.sessions import read_json, write_json
from remit.manifest.read import parse_defaults

if TYPE_CHECKING:
    from remit.guard.store.database import Store
    from remit.manifest.model import Permission

_COLUMNS = "id, principal, entry, created, expires, revoked, workspace, content"


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
        f" VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
        (secrets.token_hex(5), principal, write_json(entry), now, expires, workspace, content),
        durable=True,
    )
    return _grant(rows[0])


def grants(store: Store, principal: str, *, now: int, workspace: str = "", content: str = "") -> tuple[Grant, ...]:
    """Return the grants that hold now for a principal, in this workspace and with this content; the oldest first."""
    rows = store.rows(
        f"SELECT {_COLUMNS} FROM grants WHERE principal = ? AND revoked IS NULL"  # noqa: S608
        " AND (expires IS NULL OR expires > ?) AND workspace IN ('', ?) AND content IN ('', ?) ORDER BY created, id",
        (principal, now, workspace, content),
    )
    return tuple(map(_grant, rows))


def all_grants(store: Store) -> tuple[Grant, ...]:
    """Return every grant that there ever was, for display."""
    return tuple(map(_grant, store.rows(f"SELECT {_COLUMNS} FROM grants ORDER BY created, id")))  # noqa: S608


def revoke_grant(store: Store, name: str, *, now: int) -> Grant:
    """End a grant."""
    rows = store.change(
        f"UPDATE grants SET revoked = ? WHERE id = ? AND revoked IS NULL RETURNING {_COLUMNS}",  # noqa: S608
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
