"""What binds a request without showing it.

A commitment is HMAC-SHA-256 over domain, nonce, replay store and spelling, under a key that gateway and executor share and the policy
servers do not have. The nonce is drawn for each transaction; transactions and approvers name a request, and where it may happen, by its
commitment: with the word of an approver for one store it cannot happen at an executor that has another.

What servers sign is a ticket: the same code with the action and a salt that is drawn for each look-up. A
server that knows it can not try likely requests, nor see that two look-ups are of one action. What servers are asked follows from
the same secret, so that the executor asks itself again and compares.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import AuthorityError
from remit.core.shape import Text

if TYPE_CHECKING:
    from remit.authority.values.request import Request

NONCE_BYTES = 32
STORE = Text(32, r"[0-9a-f]{32}")  # the name of a replay store, which it drew itself
_COMMITMENT, _CARRIED = b"remit/request/v1\0", b"remit/carried/v1\0"
_TICKET, _QUESTION = b"remit/ticket/v1\0", b"remit/question/v2\0"


class BindingKey:
    """The key that gateway and executor share. It is never shown."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise AuthorityError("a binding key has 32 bytes", "let `remit up` make one")
        self._key = key

    def __repr__(self) -> str:
        return "BindingKey()"

    def commitment(self, opening: Opening) -> bytes:
        """The 32 bytes that stand for the request in proofs."""
        return self._told(_COMMITMENT, opening)

    def ticket(self, one: LookUp) -> bytes:
        """The 32 bytes that both servers sign."""
        return self._told(_TICKET + one.fixed(), one.opening)

    def question_seed(self, one: LookUp) -> bytes:
        """The 32 bytes from which all that is asked of the two servers follows."""
        return self._told(_QUESTION + one.fixed(), one.opening)

    def carrying_key(self, opening: Opening) -> bytes:
        """The 32 bytes under which values of handles go along with the request."""
        return self._told(_CARRIED, opening)

    def _told(self, domain: bytes, opening: Opening) -> bytes:
        told = opening.nonce + bytes.fromhex(opening.store) + opening.request.spelling()
        return hmac.new(self._key, domain + told, hashlib.sha256).digest()


class Opening(NamedTuple):
    """A request with the secret of its commitment. Nonce and store have a fixed length, so that they can not run into the spelling."""

    request: Request
    nonce: bytes
    store: str  # the name of the replay store in which its action would be marked


class LookUp(NamedTuple):
    """What one look-up is for. All but the opening has a fixed length."""

    opening: Opening
    action_id: str
    salt: bytes

    def fixed(self) -> bytes:
        """What its ticket is of, besides the opening; AuthorityError if a part has another length."""
        found = self.salt + bytes.fromhex(self.action_id)
        if (len(self.salt), len(found)) != (NONCE_BYTES, NONCE_BYTES + 16):
            raise AuthorityError("a look-up is named by a salt and an action", "pass on what the gateway drew")
        return found


def open_for(request: Request, store: str, nonce: bytes | None = None) -> Opening:
    """An opening with a fresh nonce, or with the one that was drawn before."""
    drawn = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
    if len(drawn) != NONCE_BYTES:
        raise AuthorityError(f"a nonce has {NONCE_BYTES} bytes", "pass on the one that the gateway drew")
    if fault := STORE.fault(store, "store"):
        raise AuthorityError(fault, "pass on the name that the executor's replay store has")
    return Opening(request, drawn, store)
