"""Memory of callers and messages between them, encrypted.

Each text is bound to its caller and key, or to sender and receiver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.gateway.acts import RefusedError
from remit.gateway.state import Database, open_state

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.state import Vault

_KEEP = "INSERT INTO note VALUES (?, ?, ?) ON CONFLICT (caller, key) DO UPDATE SET sealed = excluded.sealed"
MOST_NOTES, MOST_MESSAGES = 1_000, 256
_FORM = """
CREATE TABLE IF NOT EXISTS note (caller TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (caller, key))
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS message (
    number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT
"""


class Message(NamedTuple):
    """A message between callers. The gateway sets the sender, which cannot be forged."""

    sender: str
    text: str


class Notes:
    """The store of notes and messages."""

    def __init__(self, place: Path | Database, vault: Vault) -> None:
        self._store = open_state(place, _FORM)
        self._vault = vault

    def write(self, caller: str, key: str, text: str) -> None:
        """Store a text under a key of the caller."""
        sealed = self._vault.seal(text.encode(), _note(caller, key))
        with self._store.change() as link:
            count = link.execute("SELECT count(*) FROM note WHERE caller = ? AND key != ?", (caller, key)).fetchone()[0]
            if count >= MOST_NOTES:
                raise RefusedError("NOT_DONE", f"a caller remembers at most {MOST_NOTES} texts")
            link.execute(_KEEP, (caller, key, sealed))

    def read(self, caller: str, key: str) -> str:
        """Return the text under a key of the caller."""
        with self._store.look() as link:
            row = link.execute("SELECT sealed FROM note WHERE caller = ? AND key = ?", (caller, key)).fetchone()
        if row is None:
            raise RefusedError("NOT_FOUND")
        return self._vault.unseal(row[0], _note(caller, key)).decode()

    def keys(self, caller: str) -> list[str]:
        """Return the caller's keys."""
        with self._store.look() as link:
            rows = link.execute("SELECT key FROM note WHERE caller = ? ORDER BY key", (caller,)).fetchall()
        return [row[0] for row in rows]

    def delete(self, caller: str, key: str) -> bool:
        """Delete a text; return whether there was one."""
        with self._store.change() as link:
            return int(link.execute("DELETE FROM note WHERE caller = ? AND key = ?", (caller, key)).rowcount) == 1

    def send(self, session: str, message: Message, receiver: str) -> None:
        """Deliver a message to another caller of the same session."""
        sealed = self._vault.seal(message.text.encode(), _message(session, message.sender, receiver))
        with self._store.change() as link:
            where = "SELECT count(*) FROM message WHERE session = ? AND receiver = ?"
            if link.execute(where, (session, receiver)).fetchone()[0] >= MOST_MESSAGES:
                raise RefusedError("NOT_DONE", "the box of the receiver is full")
            link.execute(
                "INSERT INTO message (session, sender, receiver, sealed) VALUES (?, ?, ?, ?)",
                (session, message.sender, receiver, sealed),
            )

    def receive(self, session: str, receiver: str) -> list[Message]:
        """Remove and return the receiver's messages, the oldest first."""
        with self._store.change() as link:
            rows = link.execute(
                "DELETE FROM message WHERE session = ? AND receiver = ? RETURNING number, sender, sealed",
                (session, receiver),
            ).fetchall()
        return [
            Message(sender, self._vault.unseal(sealed, _message(session, sender, receiver)).decode())
            for _, sender, sealed in sorted(rows)
        ]

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def _note(caller: str, key: str) -> dict[str, Any]:
    return {"what": "note", "caller": caller, "key": key}


def _message(session: str, sender: str, receiver: str) -> dict[str, Any]:
    return {"what": "message", "session": session, "sender": sender, "receiver": receiver}
