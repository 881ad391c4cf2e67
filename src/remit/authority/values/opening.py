"""What binds a request without showing it.

A commitment is HMAC-SHA-256 over domain, nonce and spelling, under a key that gateway and executor share and the policy
servers do not have: a server that knows the commitment can not try likely requests. The nonce is drawn for each action. What
the servers are asked follows from the same secret, so that the executor can ask itself again and compare.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.values.request import Request

NONCE_BYTES = 32
_COMMITMENT, _QUESTION, _CARRIED = b"remit/request/v1\0", b"remit/question/v1\0", b"remit/carried/v1\0"


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

    def question_seed(self, opening: Opening) -> bytes:
        """The 32 bytes from which all that is asked of the two servers follows."""
        return self._told(_QUESTION, opening)

    def carrying_key(self, opening: Opening) -> bytes:
        """The 32 bytes under which values of handles go along with the request."""
        return self._told(_CARRIED, opening)

    def _told(self, domain: bytes, opening: Opening) -> bytes:
        return hmac.new(self._key, domain + opening.nonce + opening.request.spelling(), hashlib.sha256).digest()


class Opening(NamedTuple):
    """A request with the secret of its commitment. The nonce has a fixed length, so that it can not run into the spelling."""

    request: Request
    nonce: bytes


def open_for(request: Request, nonce: bytes | None = None) -> Opening:
    """An opening with a fresh nonce, or with the one that was drawn before."""
    drawn = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
    if len(drawn) != NONCE_BYTES:
        raise AuthorityError(f"a nonce has {NONCE_BYTES} bytes", "pass on the one that the gateway drew")
    return Opening(request, drawn)
