"""Connected devices, and requests to them. A request without an answer has an unknown outcome and is not repeated."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.gateway.inbound.nodes.commands import Device
    from remit.gateway.inbound.nodes.protocol import Done

SECONDS = 60.0  # time limit of a device


class LostError(AuthorityError):
    """A device disconnected or did not answer."""


class Connected(NamedTuple):
    """One connection of a device."""

    device: Device
    send: Callable[[str], Awaitable[None]]
    waiting: dict[str, asyncio.Future[Done]]

    def answered(self, done: Done) -> bool:
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
                future.set_exception(LostError("the device went away", "look whether it happened"))


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

    async def run(self, name: str, run: str, command: str, arguments: str) -> Done:
        """Send a request to a device and return the answer; LostError if it is unknown whether it ran."""
        found = self._there.get(name)
        if found is None:
            raise AuthorityError("the device is not there", "connect it: `remit node`")
        future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        found.waiting[run] = future
        try:
            async with asyncio.timeout(SECONDS):
                await found.send(json.dumps({"run": run, "command": command, "arguments": arguments}))
                return await future
        except (TimeoutError, OSError):
            raise LostError("the device did not answer", "look whether it happened") from None
        finally:
            found.waiting.pop(run, None)
