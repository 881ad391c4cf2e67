"""Transactions in a file. A step is applied whole or not at all, among all processes; what waits for a person lies sealed beside it.

A machine that loses power may forget the last transactions: they are previewed again, and the executor remembers what it did.
"""

from __future__ import annotations

import json
import secrets
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.store import Store
from remit.authority.values.outputs import Outputs
from remit.core.digest import canonical
from remit.gateway.codes import RefusedError
from remit.gateway.transactions.life import Begin, Phase, Transaction, step

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from pathlib import Path

    from remit.gateway.sealing import Vault
    from remit.gateway.transactions.life import Event

_FORM = """
CREATE TABLE IF NOT EXISTS tx (
    id TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL, shown BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tx_by_time ON tx (until)
"""
TRANSACTIONS = "transactions.db"  # in the gateway's folder
_NONE: Mapping[str, Any] = MappingProxyType({})
_KEPT = 3600  # seconds that a transaction is remembered after its time, so that it is refused by its name
_SWEEP = 256  # transactions from one removal of old ones to the next
MOST_WAITING = 20  # of one session that wait for a person: an agent that asks and asks wears people out
_OF_SESSION = """
SELECT count(*) FROM tx WHERE until > ? AND shown IS NOT NULL AND json_extract(value, '$.session') = ?
    AND json_extract(value, '$.confirmation') IS NULL
"""


_CHANGES = {
    "redact": "what the scan found is taken out",
    "clamp": "the text is cut",
    "rewrite": "the address is replaced by the proxy's",
}


class Waiting(NamedTuple):
    """What waits for an approver: the transaction, the inputs with which it would happen, and what it would show to the agent."""

    id: str
    transaction: Transaction
    inputs: dict[str, Any]
    before: dict[str, Any] = {}  # noqa: RUF012  inputs that the policy changes, as the agent sent them; without keys and cards
    shows: str = ""  # of a declassification, for who can open the value

    def changes(self) -> tuple[str, ...]:
        """What the policy changes, in words."""
        told = Outputs.of(int(self.transaction.outputs, 16))._asdict()
        return tuple(words for name, words in _CHANGES.items() if told[name]) if self.before else ()


class Transactions:
    """The store."""

    def __init__(self, path: Path, vault: Vault) -> None:
        self._store = Store(path, _FORM, durable=False)
        self._vault = vault
        self._begun = 0

    def begin(
        self, transaction: Transaction, inputs: dict[str, Any], now: int, before: Mapping[str, Any] = _NONE
    ) -> str:
        """Keep a preview; gives its name, which is 128 random bits. Inputs are kept only where a person must see them.

        `before`: those that the policy changed, as they came.
        """
        name = secrets.token_hex(16)
        made, code = step(None, Begin(transaction), now)
        assert made is not None and not code, "a preview that is over before it begins"  # noqa: PT018
        told = canonical({"inputs": inputs, "before": dict(before)})
        shown = self._vault.seal(told, _about(name, made)) if made.confirm else None
        with self._store.change() as link:
            if made.confirm and link.execute(_OF_SESSION, (now, made.session)).fetchone()[0] >= MOST_WAITING:
                raise RefusedError("CONFIRM_MANY")
            link.execute("INSERT INTO tx VALUES (?, ?, ?, ?)", (name, _written(made), made.until, shown))
            self._begun += 1
            if self._begun % _SWEEP == 0:
                link.execute("DELETE FROM tx WHERE until <= ?", (now - _KEPT,))
        return name

    def apply(self, name: str, event: Event, now: int) -> str:
        """One step; the code of the refusal if it is refused."""
        with self._store.change() as link:
            known = _found(link, name)
            after, code = step(known, event, now)
            if after is not None and after != known:
                link.execute("UPDATE tx SET value = ? WHERE id = ?", (_written(after), name))
            if after is not None and after.phase in (Phase.DONE, Phase.REFUSED):
                link.execute("UPDATE tx SET shown = NULL WHERE id = ?", (name,))
        return code

    def get(self, name: str) -> Transaction | None:
        """One by its name."""
        with self._store.look() as link:
            return _found(link, name)

    def taken(self) -> tuple[tuple[str, Transaction], ...]:
        """What was being committed when the gateway stopped: whether it happened is in the executor's log."""
        with self._store.look() as link:
            rows = link.execute("SELECT id, value FROM tx WHERE json_extract(value, '$.phase') = ?", (Phase.TAKEN,))
            return tuple((name, _read(value)) for name, value in rows.fetchall())

    def waiting(self, now: int) -> tuple[Waiting, ...]:
        """What waits for an approver, the oldest first."""
        with self._store.look() as link:
            rows = link.execute(
                "SELECT id, value, shown FROM tx WHERE until > ? AND shown IS NOT NULL ORDER BY until, id", (now,)
            ).fetchall()
        found = [(name, _read(value), shown) for name, value, shown in rows]
        return tuple(
            Waiting(name, one, **json.loads(self._vault.unseal(shown, _about(name, one))))
            for name, one, shown in found
            if one.phase is Phase.OPEN and one.confirmation is None
        )

    def close(self) -> None:
        """No more."""
        self._store.close()


def _about(name: str, one: Transaction) -> dict[str, Any]:
    return {"what": "preview", "tx": name, "action": one.action_id, "preview": one.preview}


def _found(link: sqlite3.Connection, name: str) -> Transaction | None:
    row = link.execute("SELECT value FROM tx WHERE id = ?", (name,)).fetchone()
    return _read(row[0]) if row else None


def _written(one: Transaction) -> str:
    return canonical(one._asdict()).decode()


def _read(text: str) -> Transaction:
    told = json.loads(text)
    return Transaction(**{**told, "phase": Phase(told["phase"])})
