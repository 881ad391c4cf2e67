"""State machine of a transaction, as a pure function.

    none --begin--> open --commit--> taken --finish--> done
                    open --confirm--> open, with an approver's confirmation
                    open --refuse--> refused by a person
                                      taken --release--> open: nothing was given to the executor

A transaction belongs to one caller, session and request. The request is kept as a commitment under the transaction's
own nonce. A confirmation comes later and is not part of what is committed to.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from remit.authority.settings import HOURS

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


Event: TypeAlias = "Begin | Confirm | Refuse | Commit | Release | Finish"


def step(known: Transaction | None, event: Event, now: int) -> tuple[Transaction | None, str]:
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
