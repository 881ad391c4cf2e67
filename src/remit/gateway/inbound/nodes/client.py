"""Program of a device: keeps a connection to the gateway, proves its key, and runs its declared commands, one at a
time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from random import uniform
from typing import TYPE_CHECKING, Any

import websockets
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from remit.core.errors import AuthorityError, UsageError
from remit.gateway.inbound.nodes.backends import browser, shell
from remit.gateway.inbound.nodes.protocol import MOST, device_id, signed_text
from remit.gateway.inbound.private_files import made_once

if TYPE_CHECKING:
    from pathlib import Path

_BYTES = 32
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before reconnecting; doubled with each try
BACKENDS: Mapping[str, Mapping[str, Callable[[str], tuple[int, str]]]] = {
    "linux": shell.COMMANDS, "browser": browser.COMMANDS,
}  # fmt: skip


def device_key(path: Path) -> Ed25519PrivateKey:
    """Return the key of this device; create it first if needed."""
    data = made_once(path, "the device's key", _BYTES, lambda: Ed25519PrivateKey.generate().private_bytes_raw())
    return Ed25519PrivateKey.from_private_bytes(data)


class Node:
    """One device."""

    def __init__(
        self, key: Ed25519PrivateKey, platform: str, commands: frozenset[str], tell: Callable[[str], None]
    ) -> None:
        self._key = key
        self._platform = platform
        self._does = {name: do for name, do in BACKENDS[platform].items() if name in commands}
        self._tell = tell
        self._stood = False  # the current or last connection was accepted

    @property
    def public(self) -> str:
        """Its public key in hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    @property
    def id(self) -> str:
        """Its device id."""
        return device_id(self.public)

    async def serve(self, url: str, login: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Serve forever, reconnecting after growing pauses. AuthorityError if the gateway refuses the device."""
        pause = FIRST_PAUSE
        while True:
            self._stood = False
            try:
                await self._connected(url, login)
            except websockets.InvalidURI as error:
                raise UsageError(str(error), "write ws://HOST:PORT/node, or wss://…") from None
            except (OSError, TimeoutError, websockets.WebSocketException, ValueError) as error:
                pause = FIRST_PAUSE if self._stood else pause
                self._tell(f"not connected ({error}); again in {pause:.0f} s")
            await sleep(uniform(pause / 2, pause))  # noqa: S311  so that not all devices reconnect at once
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _connected(self, url: str, login: str) -> None:
        """Serve one connection until it ends."""
        async with websockets.connect(url, max_size=MOST) as socket:
            await socket.send(json.dumps({"login": login}))
            while True:
                answer = await self._answer(json.loads(await socket.recv()))
                if answer is not None:
                    await socket.send(json.dumps(answer))

    async def _answer(self, told: dict[str, Any]) -> dict[str, Any] | None:
        match told:
            case {"challenge": str(challenge)}:
                return self._hello(challenge)
            case {"code": str(code)}:
                self._tell(f"not paired yet: remit gateway pair nodes {code}")
            case {"paired": True}:
                self._stood = True
                self._tell(f"paired: {self.id} can {' '.join(sorted(self._does))}")
            case {"refused": reason}:
                raise AuthorityError(f"refused: {reason}", "look at the gateway")
            case {"run": str(name), "command": str(command), "arguments": str(arguments)}:
                return await self._run(name, command, arguments)
        return None

    def _hello(self, challenge: str) -> dict[str, Any]:
        commands = sorted(self._does)
        signed = self._key.sign(signed_text(challenge, self.public, self._platform, commands))
        return {"key": self.public, "platform": self._platform, "commands": commands, "signature": signed.hex()}

    async def _run(self, name: str, command: str, arguments: str) -> dict[str, Any]:
        do = self._does.get(command)
        if do is None:
            return {"done": name, "status": 126, "output": f"`{command}` was not declared"}
        self._tell(f"{command} {arguments}")
        status, output = await asyncio.to_thread(do, arguments)
        return {"done": name, "status": status, "output": output}
