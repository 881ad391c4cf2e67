"""What becomes of a transaction, as a pure step.

    nothing --begin--> open --commit--> taken --finish--> done
                       open --confirm--> open, with an approver's word
                       open --refuse--> refused: a person said no
                                         taken --release--> open: nothing was handed to the executor

A transaction is of one caller, one session and one request: the request stands there as its commitment, under a nonce that is the
transaction's own. An approver's word comes later and is no part of what is bound.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from remit.authority.settings import HOURS

LIFETIME = 120  # seconds from a preview to its commit
PATIENCE = HOURS * 3600  # of one that waits for an approver


class Phase(StrEnum):
    """How far it has come."""

    OPEN = "open"
    TAKEN = "taken"  # proofs are being asked for, and handed to the executor
    DONE = "done"
    REFUSED = "refused"


class Transaction(NamedTuple):
    """One preview that may be committed once."""

    caller: str
    session: str
    intent: str
    action_id: str
    nonce: str  # hexadecimal
    commitment: str
    until: int
    outputs: str  # the decision, as a byte in hexadecimal: what is changed in the inputs follows from it
    confirm: bool  # whether an approver must confirm
    preview: str  # digest of the inputs with which it happens
    confirmation: dict[str, Any] | None = None
    phase: Phase = Phase.OPEN


class Begin(NamedTuple):
    """Both policy servers have decided."""

    transaction: Transaction


class Confirm(NamedTuple):
    """An approver has signed; the signature was checked."""

    action_id: str
    commitment: str
    preview: str
    confirmation: dict[str, Any]


class Refuse(NamedTuple):
    """A person said no. That needs no signature: nothing happens by it."""


class Commit(NamedTuple):
    """Somebody wants it to happen. `commitment`: of the request that came, under the transaction's nonce."""

    caller: str
    session: str
    commitment: str


class Release(NamedTuple):
    """No proofs could be had; for certain nothing was handed on."""


class Finish(NamedTuple):
    """It went to the executor, whatever became of it there."""


Event: TypeAlias = "Begin | Confirm | Refuse | Commit | Release | Finish"


def step(known: Transaction | None, event: Event, now: int) -> tuple[Transaction | None, str]:
    """What is there after an event, and the code of the refusal if it is refused."""
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
    """Who asks is looked at before anything else, so that others learn nothing of how far it has come."""
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
