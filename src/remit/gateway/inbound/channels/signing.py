"""What proves that the platform sent a request. Each check leaves at the first thing that is wrong, before anything is read."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING

from remit.gateway.inbound.channels.refusal import Refusal, RefusedError

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.form import Incoming

WINDOW = 300  # seconds to both sides of our clock in which a signature counts
MOST_BYTES = 256 * 1024
_MOST_HEADER = 1024
_STAMP = re.compile("[0-9]{1,12}")


def header_of(incoming: Incoming, name: str) -> str:
    """A header of the signature, which must stand there exactly once."""
    found = incoming.header(name)
    if not found:
        raise RefusedError(Refusal.NOT_SIGNED)
    if len(found) > 1:
        raise RefusedError(Refusal.SIGNED_TWICE)
    if len(found[0]) > _MOST_HEADER or not found[0].isascii():
        raise RefusedError(Refusal.SIGNATURE)
    return found[0]


def check_body(incoming: Incoming, secret: str) -> None:
    """Nothing is computed over a body without an end, and nothing is proved by a secret that everybody knows."""
    if not secret:
        raise RefusedError(Refusal.NO_SECRET)
    if len(incoming.body) > MOST_BYTES:
        raise RefusedError(Refusal.TOO_LARGE)


def stamp_of(incoming: Incoming, name: str) -> str:
    """When it was signed, as it is written there: not long ago, and not in the future."""
    stamp = header_of(incoming, name)
    if not _STAMP.fullmatch(stamp) or abs(incoming.now - int(stamp)) > WINDOW:
        raise RefusedError(Refusal.OLD)
    return stamp


def mac(secret: str, message: bytes) -> str:
    """HMAC-SHA256, in hexadecimal digits."""
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def check_mac(secret: str, message: bytes, given: str, prefix: str) -> None:
    """Compared in constant time. A signature of another kind has another prefix, and does not hold."""
    if not hmac.compare_digest((prefix + mac(secret, message)).encode(), given.encode()):
        raise RefusedError(Refusal.SIGNATURE)


def check_token(secret: str, given: str) -> None:
    """Compared in constant time, and without telling how long it is."""
    if not hmac.compare_digest(*(hashlib.sha256(one.encode()).digest() for one in (secret, given))):
        raise RefusedError(Refusal.SIGNATURE)


def check_ed25519(key: str, message: bytes, given: str) -> None:
    """`key`: the platform's public key, `given`: the signature, both in hexadecimal digits."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  other platforms do without
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    if not re.fullmatch("[0-9a-fA-F]{64}", key):
        raise RefusedError(Refusal.NO_SECRET)
    if not re.fullmatch("[0-9a-fA-F]{128}", given):
        raise RefusedError(Refusal.SIGNATURE)
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(given), message)
    except (InvalidSignature, ValueError):
        raise RefusedError(Refusal.SIGNATURE) from None
