"""Transactions from a preview to a commit: for one request, caller and session, once, and in time.

    none --begin--> open --commit--> taken --finish--> done
                    open --confirm--> open, with an approver's confirmation
                    open --refuse--> refused by a person
                                      taken --release--> open: nothing was given to the executor

A transaction belongs to one caller, session and request. The request is kept as a commitment under the transaction's
own nonce. A confirmation comes later and is not part of what is committed to: an approver signs the action, the
commitment of the request, and the patched inputs. The approver holds the key. Gateway and executor have its public half:
the gateway to refuse an invalid confirmation at once, the executor because it trusts no other party.

In the store each step is atomic across processes; inputs that wait for an approver are kept encrypted. After a power
loss the last transactions may be missing: they have to be previewed again, and the executor remembers which actions it
has done.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.authority.settings import HOURS
from remit.authority.values.confirmation import Confirmation, confirm, preview_digest, read_confirmation
from remit.authority.values.outputs import Outputs
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.executor.tables import Database, Link, open_state
from remit.gateway.acts import ActRefusal, RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.values.proof import Signer, Verifier
    from remit.gateway.state import Vault


LIFETIME = 120  # seconds from a preview to its commit
PATIENCE = HOURS * 3600  # for requests that wait for an approver


class Phase(StrEnum):
    """The state of a transaction."""

    OPEN = "open"
    TAKEN = "taken"  # proofs are requested and given to the executor
    DONE = "done"
    REFUSED = "refused"


class Transaction(NamedTuple):
    """A preview that can be committed once."""

    caller: str
    session: str
    intent: str
    action_id: str
    nonce: str  # hexadecimal
    commitment: str
    until: int
    outputs: str  # the decision, as a byte in hexadecimal; it determines the changes to the inputs
    confirm: bool  # whether an approver must confirm
    preview: str  # digest of the patched inputs
    confirmation: dict[str, Any] | None = None
    phase: Phase = Phase.OPEN


class Begin(NamedTuple):
    """Both policy servers have decided."""

    transaction: Transaction


class Confirm(NamedTuple):
    """An approver has signed; the signature is verified."""

    action_id: str
    commitment: str
    preview: str
    confirmation: dict[str, Any]


class Refuse(NamedTuple):
    """A person refused. No signature is needed, since nothing happens."""


class Commit(NamedTuple):
    """A caller commits. `commitment`: of the request in the commit, under the transaction's nonce."""

    caller: str
    session: str
    commitment: str


class Release(NamedTuple):
    """The commit failed before anything was given to the executor."""


class Finish(NamedTuple):
    """The commit went to the executor, whatever the result."""


TransactionEvent: TypeAlias = "Begin | Confirm | Refuse | Commit | Release | Finish"


def step(known: Transaction | None, event: TransactionEvent, now: int) -> tuple[Transaction | None, str]:
    """Return the transaction after an event, and the reason code if it is refused."""
    if isinstance(event, Begin):
        fresh = known is None and event.transaction.phase is Phase.OPEN and event.transaction.until > now
        return (event.transaction, "") if fresh else (known, "TX_USED")
    if known is None:
        return None, "TX_UNKNOWN"
    match event:
        case Release() if known.phase is Phase.TAKEN:
            return known._replace(phase=Phase.OPEN), ""
        case Finish() if known.phase is Phase.TAKEN:
            return known._replace(phase=Phase.DONE), ""
        case Refuse() if known.phase is Phase.OPEN:
            return known._replace(phase=Phase.REFUSED, confirmation=None), ""
        case Confirm():
            return _confirmed(known, event, now)
        case Commit():
            return _committed(known, event, now)
    return known, "TX_USED"


def _confirmed(known: Transaction, event: Confirm, now: int) -> tuple[Transaction, str]:
    if now >= known.until:
        return known, "TX_EXPIRED"
    if known.phase is not Phase.OPEN:
        return known, "TX_USED"
    if not known.confirm or event[:3] != (known.action_id, known.commitment, known.preview):
        return known, "CONFIRM_BAD"
    return known._replace(confirmation=event.confirmation), ""


def _committed(known: Transaction, event: Commit, now: int) -> tuple[Transaction, str]:
    """Check the caller before anything else, so that others learn nothing about the transaction's state."""
    if event.caller != known.caller:
        return known, "TX_CALLER"
    if event.session != known.session:
        return known, "TX_SESSION"
    if known.phase is not Phase.OPEN:
        return known, "CONFIRM_DENIED" if known.phase is Phase.REFUSED else "TX_USED"
    if now >= known.until:
        return known, "TX_EXPIRED"
    if event.commitment != known.commitment:
        return known, "TX_REQUEST"
    if known.confirm and known.confirmation is None:
        return known, "CONFIRM_MISSING"
    return known._replace(phase=Phase.TAKEN), ""


LONGEST = 3600 + 60  # seconds after which an executor no longer reports how an action ended
FLIGHT = 60  # seconds after which the executor accepts nothing of a commit any more: proofs are valid for half of that


class Outcome(NamedTuple):
    """How a transaction ended.

    `what`: done, failed, refused, unknown, never; `code`: of a refusal; `summary`: the agent's answer.
    """

    what: str
    code: str = ""
    summary: str = ""

    def text(self) -> str:
        """Return the outcome as stored text."""
        return canonical(self._asdict()).decode()


def read_outcome(text: str) -> Outcome:
    """Return the outcome in a stored text. An empty text (of older versions) is `unknown`."""
    return Outcome(**json.loads(text)) if text else Outcome("unknown")


_OPEN = "it was previewed and not committed: nothing happened", "commit it, or let it be over"
_WAITS = "it waits for an approver: nothing happened", "`remit approvals` answers it; then the agent commits it"
_OVER = "its time is over, and it was not committed: nothing happened", "preview again"
_NO = "a person refused the request: nothing happened", "-"
_BEGUN = (
    "it was handed to the executor, which has not said how it ended",
    "ask again; the gateway asks the executor too",
)
_WORDS = {
    "done": ("it was carried out, once", "-"),
    "failed": ("it was allowed, and did not happen", "see why, and preview again"),
    "refused": ("the executor refused it: nothing happened", "see why, and preview again"),
    "never": ("it was never started: nothing happened", "preview again"),
    "unknown": (
        "the executor stopped while it was carried out: it may have happened, and is not repeated",
        "look at its destination; preview again only if it is not there",
    ),
}


def told(one: Transaction, ended: Outcome, now: int) -> tuple[str, str]:
    """Return what happened, and what to do next."""
    match one.phase:
        case Phase.REFUSED:
            return _NO
        case Phase.TAKEN:
            return _BEGUN
        case Phase.OPEN:
            return _OVER if now >= one.until else _WAITS if one.confirm and one.confirmation is None else _OPEN
    return _WORDS[ended.what]


def settled(became: str, since: int, now: int) -> Outcome | None:
    """Return the outcome of a commit from what the executor remembers; None while it may still be under way."""
    if became == "started":
        return Outcome("unknown") if now >= since + LONGEST else None
    return None if became == "never" and now < since + FLIGHT else Outcome(became)


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


class StoredTransaction(NamedTuple):
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

    def apply(self, name: str, event: TransactionEvent, now: int, ended: Outcome | None = None) -> str:
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

    def entry(self, name: str) -> StoredTransaction | None:
        """Return a transaction with its outcome by name."""
        with self._store.look() as link:
            row = link.execute(f"{_LOOK} WHERE id = ?", (name,)).fetchone()
            return _kept(row) if row else None

    def named(self, name: str) -> tuple[StoredTransaction, ...]:
        """Return at most two transactions whose own or action's name has this prefix."""
        with self._store.look() as link:
            rows = link.execute(f"{_LOOK} {_NAMED}", (f"{name}%", f'%"action_id":"{name}%')).fetchall()
            return tuple(_kept(row) for row in rows)

    def taken(self, before: int, *, own: bool = False) -> tuple[StoredTransaction, ...]:
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


def _kept(row: Any) -> StoredTransaction:
    return StoredTransaction(row[0], _read(row[1]), row[2], read_outcome(row[3]))


def _found(link: Link, name: str) -> Transaction | None:
    row = link.execute("SELECT value FROM preview WHERE id = ?", (name,)).fetchone()
    return _read(row[0]) if row else None


def _written(one: Transaction) -> str:
    return canonical(one._asdict()).decode()


def _read(text: str) -> Transaction:
    told = json.loads(text)
    return Transaction(**{**told, "phase": Phase(told["phase"])})


def approve(waiting: Waiting, kid: str, signer: Signer) -> Confirmation:
    """Return the approver's signature for a request; AuthorityError if the inputs shown are not those of the preview."""
    one = waiting.transaction
    if preview_digest(one, waiting.inputs) != one.preview:
        raise AuthorityError("what was shown is not what would happen", "preview again")
    return confirm(one.action_id, one.commitment, one.preview, kid, signer)


def checked(value: Any, approvers: Mapping[str, Verifier]) -> Confirm | ActRefusal:
    """Return a confirmation as an event if an approver signed it, else the refusal."""
    try:
        told = read_confirmation(value)
    except AuthorityError as error:
        return ActRefusal("CONFIRM_BAD", str(error))
    key = approvers.get(told.kid)
    if key is None or not told.held_by(key):
        return ActRefusal("CONFIRM_BAD")
    return Confirm(told.action_id, told.commitment, told.preview, told.to_json())


def deliver(
    store: Transactions, name: str, value: Any, approvers: Mapping[str, Verifier], now: int | None = None
) -> str:
    """Apply a confirmation to its transaction; return the reason code if it is refused, else an empty string."""
    event = checked(value, approvers)
    if isinstance(event, ActRefusal):
        return event.code
    return store.apply(name, event, int(time.time()) if now is None else now)
