"""A confirmation: an approver's signature over the action, the request's commitment and the inputs with which it will happen. The
commitment is of one replay store: one word is good for one action in one store.

An agent can not give one: it is made with a key that lies with the person who was asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.authority.values.action import FORM as ACTION
from remit.core.digest import canonical, digest
from remit.core.errors import AuthorityError
from remit.core.shape import DIGEST, HEX, Record, Text

if TYPE_CHECKING:
    from remit.authority.values.proof import Signer, Verifier

_DOMAIN = b"remit/confirmation/v2\0"
FORM = Record({
    "action_id": ACTION,
    "commitment": HEX,
    "preview": DIGEST,
    "kid": Text(64, r"[A-Za-z0-9._-]+"),
    "signature": Text(128, r"[0-9a-f]{128}"),
})  # fmt: skip


class Confirmation(NamedTuple):
    """What an approver signed, and the signature."""

    action_id: str
    commitment: str
    preview: str  # digest of what was shown
    kid: str
    signature: bytes

    def held_by(self, verifier: Verifier) -> bool:
        """Whether the signature is the approver's."""
        return verifier.holds(self.signature, _signed(*self[:4]))

    def to_json(self) -> dict[str, Any]:
        """As JSON, in the published form."""
        return self._asdict() | {"signature": self.signature.hex()}


class Asking(Protocol):
    """Who asks for which intent: a request, or a transaction."""

    @property
    def intent(self) -> str:
        """What is asked for."""

    @property
    def caller(self) -> str:
        """Who asks."""

    @property
    def session(self) -> str:
        """In which session."""


def preview_digest(asking: Asking, inputs: dict[str, Any]) -> str:
    """What an approver signs: everything that was shown. A gateway cannot spend the word on another intent or caller."""
    return digest({"intent": asking.intent, "caller": asking.caller, "session": asking.session, "inputs": inputs})


def confirm(action_id: str, commitment: str, preview: str, kid: str, signer: Signer) -> Confirmation:
    """An approver's word."""
    signature = signer.sign(_signed(action_id, commitment, preview, kid))
    return Confirmation(action_id, commitment, preview, kid, signature)


def read_confirmation(value: Any) -> Confirmation:
    """The confirmation in a JSON value; AuthorityError if it has another form."""
    if fault := FORM.fault(value, "confirmation"):
        raise AuthorityError(fault, "pass on what the approver signed")
    return Confirmation(**{**value, "signature": bytes.fromhex(value["signature"])})


def _signed(action_id: str, commitment: str, preview: str, kid: str) -> bytes:
    return _DOMAIN + canonical({"action_id": action_id, "commitment": commitment, "preview": preview, "kid": kid})
