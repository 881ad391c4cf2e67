"""Commitments and tickets, which bind a request without revealing it.

A commitment is HMAC-SHA-256 over domain, nonce, replay store and canonical request, under a key that gateway and
executor share and the policy servers do not have. The nonce is drawn for each transaction. Transactions and approvers
refer to a request, and the store where it may happen, by its commitment: a confirmation for one store is useless at
an executor with another.

Servers sign a ticket: the same HMAC with the action and a salt that is drawn for each look-up. So a server cannot
test likely requests, nor see that two look-ups belong to one action. The questions are derived from the same secret,
so that the executor can recompute and compare them.
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
    """The secret key that gateway and executor share."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise AuthorityError("a binding key has 32 bytes", "let `remit up` make one")
        self._key = key

    def __repr__(self) -> str:
        return "BindingKey()"

    def commitment(self, opening: Opening) -> bytes:
        """Return the 32 bytes that stand for the request in proofs."""
        return self._told(_COMMITMENT, opening)

    def ticket(self, one: LookUp) -> bytes:
        """Return the 32 bytes that both servers sign."""
        return self._told(_TICKET + one.fixed(), one.opening)

    def question_seed(self, one: LookUp) -> bytes:
        """Return the 32-byte seed of the questions to the two servers."""
        return self._told(_QUESTION + one.fixed(), one.opening)

    def carrying_key(self, opening: Opening) -> bytes:
        """Return the 32-byte key that seals values of handles for the request."""
        return self._told(_CARRIED, opening)

    def _told(self, domain: bytes, opening: Opening) -> bytes:
        told = opening.nonce + bytes.fromhex(opening.store) + opening.request.spelling()
        return hmac.new(self._key, domain + told, hashlib.sha256).digest()


class Opening(NamedTuple):
    """A request with the secret of its commitment. Nonce and store have a fixed length, which keeps the encoding
    unambiguous.
    """

    request: Request
    nonce: bytes
    store: str  # the name of the replay store in which its action would be marked


class LookUp(NamedTuple):
    """The purpose of one look-up. All fields but the opening have a fixed length."""

    opening: Opening
    action_id: str
    salt: bytes

    def fixed(self) -> bytes:
        """Return what the ticket covers besides the opening; AuthorityError if a field has the wrong length."""
        found = self.salt + bytes.fromhex(self.action_id)
        if (len(self.salt), len(found)) != (NONCE_BYTES, NONCE_BYTES + 16):
            raise AuthorityError("a look-up is named by a salt and an action", "pass on what the gateway drew")
        return found


def open_for(request: Request, store: str, nonce: bytes | None = None) -> Opening:
    """Return an opening, with the given nonce or a fresh one."""
    drawn = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
    if len(drawn) != NONCE_BYTES:
        raise AuthorityError(f"a nonce has {NONCE_BYTES} bytes", "pass on the one that the gateway drew")
    if fault := STORE.fault(store, "store"):
        raise AuthorityError(fault, "pass on the name that the executor's replay store has")
    return Opening(request, drawn, store)
