"""A device: connects to the gateway, proves its key, says what it can do, and does what it declared, one thing at a time."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import websockets
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from remit.core.errors import AuthorityError
from remit.gateway.inbound.nodes.backends import browser, shell
from remit.gateway.inbound.nodes.protocol import MOST, device_id, signed_text
from remit.gateway.inbound.own_files import made_once

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_BYTES = 32
BACKENDS: Mapping[str, Mapping[str, Callable[[str], tuple[int, str]]]] = {
    "linux": shell.COMMANDS, "browser": browser.COMMANDS,
}  # fmt: skip


def device_key(path: Path) -> Ed25519PrivateKey:
    """The key of this device, made at first."""
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

    @property
    def public(self) -> str:
        """Its public key."""
        return self._key.public_key().public_bytes_raw().hex()

    @property
    def id(self) -> str:
        """Its name."""
        return device_id(self.public)

    async def serve(self, url: str, login: str) -> None:
        """Until the gateway ends it; AuthorityError with the reason."""
        try:
            async with websockets.connect(url, max_size=MOST) as socket:
                await socket.send(json.dumps({"login": login}))
                while True:
                    told = json.loads(await socket.recv())
                    answer = await self._answer(told)
                    if answer is not None:
                        await socket.send(json.dumps(answer))
        except (OSError, websockets.WebSocketException, ValueError) as error:
            raise AuthorityError(f"the gateway ended it: {error}", "look at the gateway, and connect again") from None

    async def _answer(self, told: dict[str, Any]) -> dict[str, Any] | None:
        match told:
            case {"challenge": str(challenge)}:
                return self._hello(challenge)
            case {"code": str(code)}:
                self._tell(f"not paired yet: remit gateway pair nodes {code}")
            case {"paired": True}:
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
