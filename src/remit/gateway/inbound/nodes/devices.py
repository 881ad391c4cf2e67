"""The devices that are connected now, and what is asked of them. What was sent and not answered is not known, and is not sent again."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from remit.gateway.inbound.nodes.commands import Device
    from remit.gateway.inbound.nodes.protocol import Done

SECONDS = 60.0  # that a device may take


class LostError(AuthorityError):
    """A device went away, or did not answer."""


class _Connected(NamedTuple):
    device: Device
    send: Callable[[str], Awaitable[None]]
    waiting: dict[str, asyncio.Future[Done]]


class Devices:
    """See above."""

    def __init__(self) -> None:
        self._there: dict[str, _Connected] = {}

    def connect(self, device: Device, send: Callable[[str], Awaitable[None]]) -> None:
        """A device that proved who it is, and is let in. One that comes again takes the place of itself."""
        self.disconnect(device.id)
        self._there[device.id] = _Connected(device, send, {})

    def disconnect(self, name: str) -> None:
        """It went away, or is not let in any more."""
        gone = self._there.pop(name, None)
        for future in gone.waiting.values() if gone else ():
            if not future.done():
                future.set_exception(LostError("the device went away", "look whether it happened"))

    def get(self, name: str) -> Device | None:
        """A device that is there."""
        found = self._there.get(name)
        return found.device if found else None

    def all(self) -> tuple[Device, ...]:
        """Those that are there."""
        return tuple(one.device for one in self._there.values())

    def answered(self, name: str, done: Done) -> bool:
        """A device answered; whether it was asked."""
        found = self._there.get(name)
        future = found.waiting.pop(done.id, None) if found else None
        if future is None or future.done():
            return False
        future.set_result(done)
        return True

    async def run(self, name: str, run: str, command: str, arguments: str) -> Done:
        """Ask a device; LostError if it is not known whether it happened."""
        found = self._there.get(name)
        if found is None:
            raise AuthorityError("the device is not there", "connect it: `remit node`")
        future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        found.waiting[run] = future
        try:
            await found.send(json.dumps({"run": run, "command": command, "arguments": arguments}))
            return await asyncio.wait_for(future, SECONDS)
        except (TimeoutError, OSError):
            raise LostError("the device did not answer", "look whether it happened") from None
        finally:
            found.waiting.pop(run, None)
