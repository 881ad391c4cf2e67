"""Values that an agent can use but not see: the agent has a handle, the gateway the value.

    none --mint--> live --use--> live, and its value goes to an allowed sink
                   live --revoke--> revoked: the value is deleted
    live, and its time over: expired

A handle belongs to one caller in one session; for others it does not exist. A value of high sensitivity is never shown
to an agent. The store has handles, the operator's secrets, and budgets: how many items and bytes may be shown to a
channel in a session. Each value is encrypted and bound to its handle or name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME
from remit.executor.tables import Database, Link, open_state
from remit.gateway.acts import RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.state import Vault


class Limits(NamedTuple):
    """The budget of a channel."""

    items: int = 16
    size: int = 4096


class Spent(NamedTuple):
    """The used part of a channel's budget."""

    items: int = 0
    size: int = 0


def spend(spent: Spent, limits: Limits, size: int) -> Spent | None:
    """Return the use after one more item of this size; None if that exceeds the limits."""
    after = Spent(spent.items + 1, spent.size + size)
    return after if after.items <= limits.items and after.size <= limits.size else None


class Sensitivity(StrEnum):
    """How harmful a leak of the value is."""

    LOW = "low"
    HIGH = "high"


class Handle(NamedTuple):
    """A handle without its value."""

    session: str
    caller: str
    sensitivity: Sensitivity
    sinks: frozenset[str]  # allowed sinks of the value; `*` is any but the agent
    until: int
    revoked: bool = False


class Mint(NamedTuple):
    """Create a handle for a value."""

    handle: Handle


class Use(NamedTuple):
    """A caller sends the value to a sink."""

    session: str
    caller: str
    sink: str


class Revoke(NamedTuple):
    """A caller gives up a handle."""

    session: str
    caller: str


class EndSession(NamedTuple):
    """A session ends with all its handles."""

    session: str


HandleEvent: TypeAlias = "Mint | Use | Revoke | EndSession"


def step(known: Handle | None, event: HandleEvent, now: int) -> tuple[Handle | None, str]:
    """Return the handle after an event, and the reason code if it is refused."""
    match event:
        case Mint():
            return (event.handle, "") if known is None and event.handle.until > now else (known, "HANDLE_EXPIRED")
        case EndSession():
            if known is None or known.session != event.session:
                return known, "HANDLE_UNKNOWN"
            return known._replace(revoked=True), ""
    if known is None or (known.session, known.caller) != (event.session, event.caller):
        return known, "HANDLE_UNKNOWN"
    if known.revoked:
        return known, "HANDLE_REVOKED"
    if isinstance(event, Revoke):
        return known._replace(revoked=True), ""
    if now >= known.until:
        return known, "HANDLE_EXPIRED"
    return known, _reach(known, event.sink)


def _reach(known: Handle, sink: str) -> str:
    if sink == RUNTIME:
        if known.sensitivity is Sensitivity.HIGH:
            return "HANDLE_HIGH"
        return "" if RUNTIME in known.sinks else "HANDLE_SINK"
    return "" if sink in known.sinks or (ANYWHERE in known.sinks and sink != NOWHERE) else "HANDLE_SINK"


_FORM = """
CREATE TABLE IF NOT EXISTS handle (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, caller TEXT NOT NULL, sensitivity TEXT NOT NULL, sinks TEXT NOT NULL,
    until INTEGER NOT NULL, revoked INTEGER NOT NULL, sealed BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS handle_by_session ON handle (session);
CREATE TABLE IF NOT EXISTS secret (
    name TEXT PRIMARY KEY, sensitivity TEXT NOT NULL, sinks TEXT NOT NULL, sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS budget (
    channel TEXT PRIMARY KEY, items INTEGER NOT NULL, size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (
    action TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID
"""
_COLUMNS = "session, caller, sensitivity, sinks, until, revoked"
_KEEP = """
INSERT INTO secret VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET sensitivity = excluded.sensitivity, sinks = excluded.sinks, sealed = excluded.sealed
"""
HANDLES = "handles.db"  # in the gateway's folder
HANDLE_LIFETIME = 3600  # default lifetime in seconds
MOST = 1_000  # live handles of one caller in one session
_KEPT = 86_400  # seconds that an ended handle is remembered, so that it is refused as expired


class Secret(NamedTuple):
    """A value of the operator for which agents may be given handles."""

    value: bytes
    sensitivity: Sensitivity
    sinks: frozenset[str]


class Handles:
    """The store; each call returns after the change is on disk. Values are never stored in plain text."""

    def __init__(self, place: Path | Database, vault: Vault) -> None:
        self._store = open_state(place, _FORM)
        self._vault = vault

    def mint(self, value: bytes, handle: Handle, now: int) -> str:
        """Return a new handle for a value: a name of 128 random bits."""
        name = secrets.token_hex(16)
        made, code = step(None, Mint(handle), now)
        if made is None or code:
            raise RefusedError(code)
        sealed = self._vault.seal(value, _about(name, made))
        row = (name, made.session, made.caller, made.sensitivity, _words(made.sinks), made.until, 0, sealed)
        with self._store.change() as link:
            whose = (made.session, made.caller, now)
            live = "SELECT count(*) FROM handle WHERE session = ? AND caller = ? AND until > ? AND revoked = 0"
            if link.execute(live, whose).fetchone()[0] >= MOST:
                raise RefusedError("HANDLE_MANY")
            link.execute("INSERT INTO handle VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            # delete the value when it expires, the name later
            link.execute("UPDATE handle SET sealed = NULL WHERE until <= ? AND sealed IS NOT NULL", (now,))
            link.execute("DELETE FROM handle WHERE until <= ?", (now - _KEPT,))
        return name

    def describe(self, name: str, session: str, caller: str) -> Handle:
        """Return a handle without its value; RefusedError unless it belongs to the caller."""
        with self._store.look() as link:
            found = _found(link, name)
        if found is None or (found.session, found.caller) != (session, caller):
            raise RefusedError("HANDLE_UNKNOWN")
        return found

    def check(self, name: str, event: Use, now: int) -> None:
        """Raise RefusedError if the value may not go to the sink. Nothing is decrypted."""
        with self._store.look() as link:
            self._step(link, name, event, now)

    def use(self, name: str, event: Use, now: int) -> bytes:
        """Return the value for a sink that it may go to."""
        with self._store.look() as link:
            known = self._step(link, name, event, now)
            sealed = link.execute("SELECT sealed FROM handle WHERE id = ?", (name,)).fetchone()[0]
        if sealed is None:
            raise RefusedError("HANDLE_EXPIRED")
        return self._vault.unseal(sealed, _about(name, known))

    def revoke(self, name: str, event: Revoke, now: int) -> None:
        """Revoke a handle and delete its value."""
        with self._store.change() as link:
            self._step(link, name, event, now)
            link.execute("UPDATE handle SET revoked = 1, sealed = NULL WHERE id = ?", (name,))

    def end_session(self, session: str, now: int) -> int:
        """Revoke all handles of a session and delete their values; return how many there were."""
        event, gone = EndSession(session), 0
        with self._store.change() as link:
            names = link.execute("SELECT id FROM handle WHERE session = ? AND revoked = 0", (session,)).fetchall()
            for (name,) in names:
                self._step(link, name, event, now)
                gone += link.execute("UPDATE handle SET revoked = 1, sealed = NULL WHERE id = ?", (name,)).rowcount
        return gone

    def spend(self, action_id: str, channel: str, limits: Limits, size: int) -> None:
        """Charge the budget of a channel, once for each action; RefusedError if it is exhausted."""
        with self._store.change() as link:
            if not link.execute("INSERT INTO spent VALUES (?) ON CONFLICT DO NOTHING", (action_id,)).rowcount:
                return
            row = link.execute("SELECT items, size FROM budget WHERE channel = ?", (channel,)).fetchone()
            after = spend(Spent(*row) if row else Spent(), limits, size)
            if after is None:
                raise RefusedError("BUDGET_SPENT")
            link.execute("INSERT INTO budget VALUES (?, ?, ?) ON CONFLICT (channel) DO UPDATE SET items = ?, size = ?",
                         (channel, *after, *after))  # fmt: skip

    def keep_secret(self, name: str, secret: Secret) -> None:
        """Store a value of the operator, replacing one of the same name."""
        sealed = self._vault.seal(secret.value, _about_secret(name, secret.sensitivity, secret.sinks))
        row = (name, secret.sensitivity, _words(secret.sinks), sealed)
        with self._store.change() as link:
            link.execute(_KEEP, row)

    def secret(self, name: str) -> Secret | None:
        """Return the operator's value of this name, or None."""
        with self._store.look() as link:
            row = link.execute("SELECT sensitivity, sinks, sealed FROM secret WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        sensitivity, sinks = Sensitivity(row[0]), frozenset(row[1].split())
        return Secret(self._vault.unseal(row[2], _about_secret(name, sensitivity, sinks)), sensitivity, sinks)

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _step(self, link: Link, name: str, event: HandleEvent, now: int) -> Handle:
        known, code = step(_found(link, name), event, now)
        if code or known is None:
            raise RefusedError(code or "HANDLE_UNKNOWN")
        return known


def _found(link: Link, name: str) -> Handle | None:
    row = link.execute(f"SELECT {_COLUMNS} FROM handle WHERE id = ?", (name,)).fetchone()  # noqa: S608  words of ours
    if row is None:
        return None
    session, caller, sensitivity, sinks, until, revoked = row
    return Handle(session, caller, Sensitivity(sensitivity), frozenset(sinks.split()), until, bool(revoked))


def _about(name: str, one: Handle) -> dict[str, Any]:
    """Return the context to which a value is bound: if a row is changed, its value does not decrypt."""
    return {"what": "handle", "id": name, **one._asdict(), "sinks": sorted(one.sinks), "revoked": False}


def _about_secret(name: str, sensitivity: Sensitivity, sinks: frozenset[str]) -> dict[str, Any]:
    return {"what": "secret", "name": name, "sensitivity": sensitivity, "sinks": sorted(sinks)}


def _words(sinks: Iterable[str]) -> str:
    return " ".join(sorted(sinks))
