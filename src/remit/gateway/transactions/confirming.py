"""What an approver is shown, and signs: the action, the commitment of the request, and the inputs with which it happens.

The key lies with the approver. Gateway and executor hold its public half: the gateway to say at once that a confirmation is none, the
executor because it believes nobody.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.values.confirmation import Confirmation, confirm, preview_digest, read_confirmation
from remit.core.errors import AuthorityError
from remit.gateway.codes import Refused
from remit.gateway.transactions.life import Confirm

if TYPE_CHECKING:
    from remit.authority.values.proof import Signer, Verifier
    from remit.gateway.transactions.store import Transactions, Waiting


class Question(NamedTuple):
    """What a person is asked."""

    id: str
    intent: str
    caller: str
    session: str
    inputs: dict[str, Any]
    until: int


def question(waiting: Waiting) -> Question:
    """What to show of something that waits."""
    one = waiting.transaction
    return Question(waiting.id, one.intent, one.caller, one.session, waiting.inputs, one.until)


def approve(waiting: Waiting, kid: str, signer: Signer) -> Confirmation:
    """An approver's word for what was shown. AuthorityError if what was shown is not what would happen."""
    one = waiting.transaction
    if preview_digest(one, waiting.inputs) != one.preview:
        raise AuthorityError("what was shown is not what would happen", "preview again")
    return confirm(one.action_id, one.commitment, one.preview, kid, signer)


def checked(value: Any, approvers: Mapping[str, Verifier]) -> Confirm | Refused:
    """A confirmation as an event, if an approver signed it."""
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
    """Put an approver's word to its transaction; the code of the refusal if it is refused."""
    event = checked(value, approvers)
    if isinstance(event, Refused):
        return event.code
    return store.apply(name, event, int(time.time()) if now is None else now)
