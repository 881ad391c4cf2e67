"""Protocol between device and gateway: JSON messages with fixed schemas.

gateway  {"challenge": HEX}
device   {"key": HEX, "platform": …, "commands": […], "signature": HEX}     signs the challenge and its declaration
gateway  {"paired": true} or {"code": CODE}, which the device's user gives to the operator
gateway  {"run": ID, "command": …, "arguments": TEXT}
device   {"done": ID, "status": NUMBER, "output": TEXT}
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from remit.core.digest import bytes_digest, canonical
from remit.core.shape import Items, Record, Text, Whole
from remit.gateway.inbound.nodes.commands import Device

MOST = 1024 * 1024  # bytes of a message
MOST_OUTPUT = 100_000  # characters
_PURPOSE = "remit node 1"
_HELLO = Record(
    {
        "key": Text(64, r"[0-9a-f]{64}"),
        "platform": Text(32, r"[a-z]+"),
        "commands": Items(Text(64, r"[a-z]+\.[a-z]+"), 64),
        "signature": Text(128, r"[0-9a-f]{128}"),
    }
)
_DONE = Record({"done": Text(64), "status": Whole(-255, 255), "output": Text(MOST_OUTPUT, empty=True)})


class Done(NamedTuple):
    """The answer of a device."""

    id: str
    status: int
    output: str


def signed_text(challenge: str, key: str, platform: str, commands: list[str]) -> bytes:
    """Return the bytes that a device signs."""
    return canonical(
        {"purpose": _PURPOSE, "challenge": challenge, "key": key, "platform": platform, "commands": commands}
    )


def device_id(key: str) -> str:
    """Return the id of a device, derived from its key so that no other device can have it."""
    return bytes_digest(bytes.fromhex(key)).removeprefix("sha256:")[:32]


def read_hello(text: str, challenge: str) -> Device | None:
    """Return the device of a hello message; None unless the signature is valid."""
    told = _told(text, _HELLO)
    if told is None:
        return None
    signed = signed_text(challenge, told["key"], told["platform"], told["commands"])
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["key"])).verify(bytes.fromhex(told["signature"]), signed)
    except (InvalidSignature, ValueError):
        return None
    return Device(device_id(told["key"]), told["platform"], frozenset(told["commands"]))


def read_done(text: str) -> Done | None:
    """Return an answer, or None if it is malformed."""
    told = _told(text, _DONE)
    return None if told is None else Done(told["done"], told["status"], told["output"])


def _told(text: str, form: Record) -> Any:
    if len(text) > MOST:
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if form.fault(told, "message") else told
