"""Signature checks of platform requests. Each raises at the first fault, before the body is parsed."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING

from remit.gateway.inbound.channels.refusal import Refusal, RefusedError

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.interface import Incoming

WINDOW = 300  # seconds by which a signature's time may differ from our clock
MOST_BYTES = 256 * 1024
_MOST_HEADER = 1024
_STAMP = re.compile("[0-9]{1,12}")


def header_of(incoming: Incoming, name: str) -> str:
    """Return a signature header, which must occur exactly once."""
    found = incoming.header(name)
    if not found:
        raise RefusedError(Refusal.NOT_SIGNED)
    if len(found) > 1:
        raise RefusedError(Refusal.SIGNED_TWICE)
    if len(found[0]) > _MOST_HEADER or not found[0].isascii():
        raise RefusedError(Refusal.SIGNATURE)
    return found[0]


def check_body(incoming: Incoming, secret: str) -> None:
    """Check that a secret is configured and the body is within the limit, before anything is computed over it."""
    if not secret:
        raise RefusedError(Refusal.NO_SECRET)
    if len(incoming.body) > MOST_BYTES:
        raise RefusedError(Refusal.TOO_LARGE)


def stamp_of(incoming: Incoming, name: str) -> str:
    """Return the time of signing as text; it must be within the window."""
    stamp = header_of(incoming, name)
    if not _STAMP.fullmatch(stamp) or abs(incoming.now - int(stamp)) > WINDOW:
        raise RefusedError(Refusal.OLD)
    return stamp


def mac(secret: str, message: bytes) -> str:
    """Return the HMAC-SHA256 in hexadecimal digits."""
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def check_mac(secret: str, message: bytes, given: str, prefix: str) -> None:
    """Check an HMAC in constant time. The prefix names the signature version."""
    if not hmac.compare_digest((prefix + mac(secret, message)).encode(), given.encode()):
        raise RefusedError(Refusal.SIGNATURE)


def check_token(secret: str, given: str) -> None:
    """Compare a token in constant time, without revealing its length."""
    if not hmac.compare_digest(*(hashlib.sha256(one.encode()).digest() for one in (secret, given))):
        raise RefusedError(Refusal.SIGNATURE)


def check_ed25519(key: str, message: bytes, given: str) -> None:
    """Check an Ed25519 signature. `key` and `given` are in hexadecimal digits."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  other platforms do not need it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    if not re.fullmatch("[0-9a-fA-F]{64}", key):
        raise RefusedError(Refusal.NO_SECRET)
    if not re.fullmatch("[0-9a-fA-F]{128}", given):
        raise RefusedError(Refusal.SIGNATURE)
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(given), message)
    except (InvalidSignature, ValueError):
        raise RefusedError(Refusal.SIGNATURE) from None
