"""Connected devices, the messages to and from them, and requests. A request without an answer has an unknown outcome and
is not repeated.

Messages are JSON with fixed schemas:

gateway  {"challenge": HEX}
device   {"key": HEX, "platform": …, "commands": […], "signature": HEX}     signs the challenge and its declaration
gateway  {"paired": true} or {"code": CODE}, which the device's user gives to the operator
gateway  {"run": ID, "command": …, "arguments": TEXT}
device   {"done": ID, "status": NUMBER, "output": TEXT}
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from remit.core.digest import bytes_digest, canonical
from remit.core.errors import AuthorityError
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


class DeviceAnswer(NamedTuple):
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
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  the console reads settings without it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    told = _told(text, _HELLO)
    if told is None:
        return None
    signed = signed_text(challenge, told["key"], told["platform"], told["commands"])
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["key"])).verify(bytes.fromhex(told["signature"]), signed)
    except (InvalidSignature, ValueError):
        return None
    return Device(device_id(told["key"]), told["platform"], frozenset(told["commands"]))


def read_done(text: str) -> DeviceAnswer | None:
    """Return an answer, or None if it is malformed."""
    told = _told(text, _DONE)
    return None if told is None else DeviceAnswer(told["done"], told["status"], told["output"])


def _told(text: str, form: Record) -> Any:
    if len(text) > MOST:
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if form.fault(told, "message") else told


SECONDS = 60.0  # time limit of a device


class LostError(AuthorityError):
    """A device disconnected or did not answer."""


class Connected(NamedTuple):
    """One connection of a device."""

    device: Device
    send: Callable[[str], Awaitable[None]]
    waiting: dict[str, asyncio.Future[DeviceAnswer]]

    def answered(self, done: DeviceAnswer) -> bool:
        """Handle an answer; return whether its request was sent on this connection."""
        future = self.waiting.pop(done.id, None)
        if future is None or future.done():
            return False
        future.set_result(done)
        return True

    def lost(self) -> None:
        """Fail all open requests: the connection is gone."""
        for future in self.waiting.values():
            if not future.done():
                future.set_exception(LostError("the device went away", "check whether it happened"))


class Devices:
    """The connected devices."""

    def __init__(self) -> None:
        self._there: dict[str, Connected] = {}

    def connect(self, device: Device, send: Callable[[str], Awaitable[None]]) -> Connected:
        """Add a device that was authenticated and is paired. It replaces its own earlier connection."""
        if (before := self._there.get(device.id)) is not None:
            before.lost()
        connected = self._there[device.id] = Connected(device, send, {})
        return connected

    def disconnect(self, gone: Connected) -> None:
        """Remove a connection; the device may already have a newer one."""
        gone.lost()
        if self._there.get(gone.device.id) is gone:
            del self._there[gone.device.id]

    def get(self, name: str) -> Device | None:
        """Return a connected device, or None."""
        found = self._there.get(name)
        return found.device if found else None

    def all(self) -> tuple[Device, ...]:
        """Return the connected devices."""
        return tuple(one.device for one in self._there.values())

    async def run(self, name: str, run: str, command: str, arguments: str) -> DeviceAnswer:
        """Send a request to a device and return the answer; LostError if it is unknown whether it ran."""
        found = self._there.get(name)
        if found is None:
            raise AuthorityError("the device is not there", "connect it: `remit node`")
        future: asyncio.Future[DeviceAnswer] = asyncio.get_running_loop().create_future()
        found.waiting[run] = future
        try:
            async with asyncio.timeout(SECONDS):
                await found.send(json.dumps({"run": run, "command": command, "arguments": arguments}))
                return await future
        except (TimeoutError, OSError):
            raise LostError("the device did not answer", "check whether it happened") from None
        finally:
            found.waiting.pop(run, None)
