"""Confirmation by an approver, who signs the action, the commitment of the request, and the patched inputs.

The approver holds the key. Gateway and executor have its public half: the gateway to refuse an invalid confirmation at
once, the executor because it trusts no other party.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.values.confirmation import Confirmation, confirm, preview_digest, read_confirmation
from remit.core.errors import AuthorityError
from remit.gateway.codes import Refused
from remit.gateway.transactions.state_machine import Confirm

if TYPE_CHECKING:
    from remit.authority.values.proof import Signer, Verifier
    from remit.gateway.transactions.store import Transactions, Waiting


class Question(NamedTuple):
    """What an approver is asked."""

    id: str
    intent: str
    caller: str
    session: str
    inputs: dict[str, Any]
    until: int


def question(waiting: Waiting) -> Question:
    """Return the question for a waiting request."""
    one = waiting.transaction
    return Question(waiting.id, one.intent, one.caller, one.session, waiting.inputs, one.until)


def approve(waiting: Waiting, kid: str, signer: Signer) -> Confirmation:
    """Return the approver's signature for a request; AuthorityError if the inputs shown are not those of the preview."""
    one = waiting.transaction
    if preview_digest(one, waiting.inputs) != one.preview:
        raise AuthorityError("what was shown is not what would happen", "preview again")
    return confirm(one.action_id, one.commitment, one.preview, kid, signer)


def checked(value: Any, approvers: Mapping[str, Verifier]) -> Confirm | Refused:
    """Return a confirmation as an event if an approver signed it, else the refusal."""
    try:
        told = read_confirmation(value)
    except AuthorityError as error:
        return Refused("CONFIRM_BAD", str(error))
    key = approvers.get(told.kid)
    if key is None or not told.held_by(key):
        return Refused("CONFIRM_BAD")
    return Confirm(told.action_id, told.commitment, told.preview, told.to_json())


def deliver(
    store: Transactions, name: str, value: Any, approvers: Mapping[str, Verifier], now: int | None = None
) -> str:
    """Apply a confirmation to its transaction; return the reason code if it is refused, else an empty string."""
    event = checked(value, approvers)
    if isinstance(event, Refused):
        return event.code
    return store.apply(name, event, int(time.time()) if now is None else now)
