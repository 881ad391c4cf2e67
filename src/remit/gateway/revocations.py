"""Store of revoked credentials and ended sessions.

Revocations are never deleted, so an issuer of many tokens should keep them short-lived. A delegation is identified by
its issuer and id, so that one issuer cannot revoke what another has issued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.executor.credentials.tokens import OPERATOR, Credential
from remit.executor.credentials.verifier import Revoked
from remit.executor.tables import Database, open_state

if TYPE_CHECKING:
    from pathlib import Path


REVOKED = "revoked.db"  # in the gateway's folder
_FORM = """
CREATE TABLE IF NOT EXISTS token (issuer TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (issuer, id))
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID
"""


class Revocations:
    """The store of revocations; each call returns after the change is on disk."""

    def __init__(self, place: Path | Database) -> None:
        self._store = open_state(place, _FORM)

    def concerning(self, shown: Credential) -> Revoked:
        """Return the revocations that concern a credential."""
        tokens = {(one.token.iss, one.token.jti) for one in shown.delegations} | {(OPERATOR, shown.workload.token.jti)}
        sessions = {one.token.session for one in shown.delegations}
        with self._store.look() as link:
            gone = {
                pair
                for pair in tokens
                if link.execute("SELECT 1 FROM token WHERE issuer = ? AND id = ?", pair).fetchone()
            }
            over = {
                name for name in sessions if link.execute("SELECT 1 FROM session WHERE name = ?", (name,)).fetchone()
            }
        return Revoked(frozenset(gone), frozenset(over))

    def revoke(self, issuer: str, name: str, now: int) -> None:
        """Revoke a token of an issuer, also one that is not issued yet."""
        with self._store.change() as link:
            link.execute("INSERT INTO token VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (issuer, name, now))

    def end_session(self, session: str, now: int) -> None:
        """Revoke all credentials of a session."""
        with self._store.change() as link:
            link.execute("INSERT INTO session VALUES (?, ?) ON CONFLICT DO NOTHING", (session, now))

    def close(self) -> None:
        """Close the store."""
        self._store.close()
