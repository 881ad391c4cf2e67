"""Transaction store. Each step is atomic across processes; inputs that wait for an approver are kept encrypted.

After a power loss the last transactions may be missing: they have to be previewed again, and the executor remembers
which actions it has done.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.values.outputs import Outputs
from remit.core.digest import canonical
from remit.gateway.codes import RefusedError
from remit.gateway.state import Database, Link, open_state
from remit.gateway.transactions.outcome import Outcome, read_outcome
from remit.gateway.transactions.state_machine import Begin, Event, Phase, Transaction, step

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.vault import Vault

_FORM = """
CREATE TABLE IF NOT EXISTS preview (
    id TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL, session TEXT NOT NULL, phase TEXT NOT NULL,
    waits INTEGER NOT NULL, owner TEXT NOT NULL, at INTEGER NOT NULL, shown BLOB, ended TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS preview_by_time ON preview (until);
CREATE INDEX IF NOT EXISTS preview_taken ON preview (at) WHERE phase = 'taken';
CREATE INDEX IF NOT EXISTS preview_waits ON preview (session) WHERE waits = 1;
DROP TABLE IF EXISTS tx
"""
TRANSACTIONS = "transactions.db"  # in the gateway's folder
_NONE: Mapping[str, Any] = MappingProxyType({})
_KEPT = 7 * 86_400  # seconds that a transaction is remembered after its time, so that a late commit learns how it ended
_SWEEP = 256  # new transactions between two removals of old ones
MOST_WAITING = 20  # waiting requests of one session: too many of them would wear the approver out
_OF_SESSION = "SELECT count(*) FROM preview WHERE waits = 1 AND session = ? AND until > ?"


_STEP = "UPDATE preview SET value = ?, phase = ?, waits = ?, owner = ?, at = ?, ended = ? WHERE id = ?"
_LOOK = "SELECT id, value, at, ended FROM preview"
_NAMED = "WHERE id LIKE ? OR value LIKE ? ORDER BY at, id LIMIT 2"
_CHANGES = {
    "redact": "what the scan found is taken out",
    "clamp": "the text is cut",
    "rewrite": "the address is replaced by the proxy's",
}


class Waiting(NamedTuple):
    """A request that waits for an approver: the transaction, the patched inputs, and what would be shown to the agent."""

    id: str
    transaction: Transaction
    inputs: dict[str, Any]
    before: dict[str, Any] = {}  # noqa: RUF012  inputs that the policy changes, as the agent sent them; without keys and card numbers
    shows: str = ""  # of a declassification, if the value can be decrypted here

    def changes(self) -> tuple[str, ...]:
        """Return the policy's changes, in words."""
        told = Outputs.of(int(self.transaction.outputs, 16))._asdict()
        return tuple(words for name, words in _CHANGES.items() if told[name]) if self.before else ()


class Kept(NamedTuple):
    """A stored transaction with the time of its last step and its outcome."""

    id: str
    transaction: Transaction
    at: int
    ended: Outcome


class Transactions:
    """The store."""

    def __init__(self, place: Path | Database, vault: Vault, owner: str = "") -> None:
        """`owner`: the name of the gateway, to find its own unfinished commits after a restart."""
        self._store = open_state(place, _FORM, durable=False)
        self._vault = vault
        self._owner = owner
        self._begun = 0

    def begin(
        self, transaction: Transaction, inputs: dict[str, Any], now: int, before: Mapping[str, Any] = _NONE
    ) -> str:
        """Store a preview and return its name, 128 random bits. Inputs are stored only if an approver must see them.

        `before`: the original values of inputs that the policy changed.
        """
        name = secrets.token_hex(16)
        made, code = step(None, Begin(transaction), now)
        assert made is not None and not code, "a preview that is over before it begins"  # noqa: PT018
        told = canonical({"inputs": inputs, "before": dict(before)})
        shown = self._vault.seal(told, _about(name, made)) if made.confirm else None
        with self._store.change() as link:
            if made.confirm and link.execute(_OF_SESSION, (made.session, now)).fetchone()[0] >= MOST_WAITING:
                raise RefusedError("CONFIRM_MANY")
            row = (name, _written(made), made.until, made.session, made.phase, made.confirm, self._owner, now, shown, "")  # fmt: skip
            link.execute("INSERT INTO preview VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [*map(_plain, row)])
            self._begun += 1
            if self._begun % _SWEEP == 0:
                link.execute("DELETE FROM preview WHERE until <= ?", (now - _KEPT,))
        return name

    def apply(self, name: str, event: Event, now: int, ended: Outcome | None = None) -> str:
        """Apply one step; return the reason code if it is refused. `ended`: the outcome to store."""
        with self._store.change() as link:
            known = _found(link, name)
            after, code = step(known, event, now)
            if after is not None and after != known:
                waits = after.confirm and after.confirmation is None and after.phase is Phase.OPEN
                row = (_written(after), after.phase, waits, self._owner, now, ended.text() if ended else "", name)
                link.execute(_STEP, [*map(_plain, row)])
            if after is not None and after.phase in (Phase.DONE, Phase.REFUSED):
                link.execute("UPDATE preview SET shown = NULL WHERE id = ?", (name,))
        return code

    def get(self, name: str) -> Transaction | None:
        """Return a transaction by name."""
        with self._store.look() as link:
            return _found(link, name)

    def entry(self, name: str) -> Kept | None:
        """Return a transaction with its outcome by name."""
        with self._store.look() as link:
            row = link.execute(f"{_LOOK} WHERE id = ?", (name,)).fetchone()
            return _kept(row) if row else None

    def named(self, name: str) -> tuple[Kept, ...]:
        """Return at most two transactions whose own or action's name has this prefix."""
        with self._store.look() as link:
            rows = link.execute(f"{_LOOK} {_NAMED}", (f"{name}%", f'%"action_id":"{name}%')).fetchall()
            return tuple(_kept(row) for row in rows)

    def taken(self, before: int, *, own: bool = False) -> tuple[Kept, ...]:
        """Return the unfinished commits since before a time; with `own`, all of this gateway."""
        which, asked = ("owner = ?", self._owner) if own else ("at < ?", before)
        with self._store.look() as link:
            rows = link.execute(f"{_LOOK} WHERE phase = 'taken' AND {which} ORDER BY at, id", (asked,)).fetchall()
            return tuple(_kept(row) for row in rows)

    def waiting(self, now: int) -> tuple[Waiting, ...]:
        """Return the requests that wait for an approver, the oldest first."""
        with self._store.look() as link:
            rows = link.execute(
                "SELECT id, value, shown FROM preview WHERE waits = 1 AND until > ? ORDER BY until, id", (now,)
            ).fetchall()
        found = [(name, _read(value), shown) for name, value, shown in rows]
        return tuple(
            Waiting(name, one, **json.loads(self._vault.unseal(shown, _about(name, one)))) for name, one, shown in found
        )

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def _about(name: str, one: Transaction) -> dict[str, Any]:
    return {"what": "preview", "tx": name, "action": one.action_id, "preview": one.preview}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _kept(row: Any) -> Kept:
    return Kept(row[0], _read(row[1]), row[2], read_outcome(row[3]))


def _found(link: Link, name: str) -> Transaction | None:
    row = link.execute("SELECT value FROM preview WHERE id = ?", (name,)).fetchone()
    return _read(row[0]) if row else None


def _written(one: Transaction) -> str:
    return canonical(one._asdict()).decode()


def _read(text: str) -> Transaction:
    told = json.loads(text)
    return Transaction(**{**told, "phase": Phase(told["phase"])})
