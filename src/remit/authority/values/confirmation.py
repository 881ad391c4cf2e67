"""A confirmation: an approver's signature over the action, the request's commitment and the inputs of the effect.

The commitment names one replay store, so a confirmation is good for one action in one store. An agent cannot make
one, because the approver holds the key.
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
        """Return the published JSON form."""
        return self._asdict() | {"signature": self.signature.hex()}


class Asking(Protocol):
    """A request or a transaction, which names intent, caller and session."""

    @property
    def intent(self) -> str:
        """The intent."""

    @property
    def caller(self) -> str:
        """The caller."""

    @property
    def session(self) -> str:
        """The session."""


def preview_digest(asking: Asking, inputs: dict[str, Any]) -> str:
    """Return the digest of everything that the approver saw, so that a gateway cannot use it for another intent or
    caller.
    """
    return digest({"intent": asking.intent, "caller": asking.caller, "session": asking.session, "inputs": inputs})


def confirm(action_id: str, commitment: str, preview: str, kid: str, signer: Signer) -> Confirmation:
    """Sign a confirmation as an approver."""
    signature = signer.sign(_signed(action_id, commitment, preview, kid))
    return Confirmation(action_id, commitment, preview, kid, signature)


def read_confirmation(value: Any) -> Confirmation:
    """Read a confirmation from a JSON value; AuthorityError if it is malformed."""
    if fault := FORM.fault(value, "confirmation"):
        raise AuthorityError(fault, "pass on what the approver signed")
    return Confirmation(**{**value, "signature": bytes.fromhex(value["signature"])})


def _signed(action_id: str, commitment: str, preview: str, kid: str) -> bytes:
    return _DOMAIN + canonical({"action_id": action_id, "commitment": commitment, "preview": preview, "kid": kid})
