"""Verification and parsing of platform data, which is untrusted: sizes are bounded, and a field of the wrong type is
refused.

Each check of a signature raises at the first fault, before the body is parsed. An unsigned request is refused with an
error status; a signed one is always acknowledged, even if it is ignored.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from remit.core.digest import canonical, digest
from remit.core.errors import InputError
from remit.gateway.inbound.channels.interface import Received, Reply
from remit.gateway.inbound.channels.quarantine import MOST_FILES
from remit.gateway.inbound.channels.texts import cut
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.routing import ANY

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.interface import Incoming
    from remit.gateway.inbound.routing import ChatAddress


T = TypeVar("T")


class Refusal(StrEnum):
    """Reason codes of refusals."""

    NO_SECRET = "NO_SECRET"  # noqa: S105  no secret or key is configured that could prove the sender
    TOO_LARGE = "TOO_LARGE"  # the body exceeds the limit
    NOT_SIGNED = "NOT_SIGNED"  # a signature header is missing
    SIGNED_TWICE = "SIGNED_TWICE"  # a signature header is duplicated
    OLD = "OLD"  # signed too long ago, or in the future
    SIGNATURE = "SIGNATURE"  # the signature is wrong
    FORM = "FORM"  # signed, but malformed
    ACCOUNT = "ACCOUNT"  # signed, but for another account than the configured one
    KIND = "KIND"  # signed, but of a kind that is ignored
    OTHERS = "OTHERS"  # a command for another bot in the same room
    AUTHOR = "AUTHOR"  # about a message whose author the platform does not name


# what is signed is answered with 200: a platform would send it again and again, and others would wait behind it
_STATUS = {
    Refusal.NO_SECRET: 503,
    Refusal.TOO_LARGE: 413,
    Refusal.NOT_SIGNED: 401,
    Refusal.SIGNED_TWICE: 401,
    Refusal.OLD: 401,
    Refusal.SIGNATURE: 401,
}


class RefusedError(Exception):
    """Ends the handling of a request at the first failed check."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code = code


def judged(read: Callable[[T], Received], given: T) -> Received:
    """Parse incoming data, or return the refusal."""
    try:
        return read(given)
    except RefusedError as error:
        code = error.code
    return Received(reply=Reply(_STATUS.get(code, 200)), refused=code)


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


MOST_DEPTH = 24
MOST_ITEMS = 1000  # of a list


def read_json(body: bytes) -> dict[str, Any]:
    """Parse the JSON object in a body. Values that cannot be serialized again (lone surrogates, NaN) are refused."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_float=str, parse_constant=_no_number)
        if not isinstance(value, dict) or not _flat(value, MOST_DEPTH):
            raise RefusedError(Refusal.FORM)
        canonical(value)
    except (ValueError, RecursionError, InputError):
        raise RefusedError(Refusal.FORM) from None
    return value


def part(value: Any, *names: str) -> Any:
    """Return a nested field; None if it is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def name_in(value: Any, pattern: str) -> str:
    """Return an identifier; RefusedError if it does not match the pattern."""
    if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII):
        raise RefusedError(Refusal.FORM)
    return value


def number_in(value: Any) -> str:
    """Return an integer as an identifier."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(Refusal.FORM)
    return str(value)


def text_in(value: Any) -> str:
    """Return a text; a missing one is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(Refusal.FORM)
    return value


def items_in(value: Any) -> list[Any]:
    """Return a list of bounded length; a missing one is empty."""
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise RefusedError(Refusal.FORM)
    return value


def ours(wanted: str, found: str) -> str:
    """Return the account that an event is for; it must be the configured one, if any."""
    if wanted not in (ANY, found):
        raise RefusedError(Refusal.ACCOUNT)
    return found


def made(place: ChatAddress, what: What, text: str, message: str, *also: str, **fields: Any) -> Event:
    """Return an event. Its digest covers what was said, by whom and where, but nothing that a platform changes on a
    retry.

    `also`: further fields that distinguish events. Files count by number and size, since platforms rename them on each
    sending.
    """
    fields["files"] = files = tuple(fields.get("files", ()))[:MOST_FILES]
    content = [what, place.room, place.thread, place.peer, message, text, *also, *(str(one.size) for one in files)]
    return Event(place, what, cut(text), message, digest=digest(content), **fields)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a key occurs twice")
    return out


def _no_number(_: str) -> Any:
    raise ValueError("not a number")


def _flat(value: Any, left: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left > 0 and all(_flat(one, left - 1) for one in inner)
