"""Program of a device: keeps a connection to the gateway, proves its key, and runs its declared commands, one at a
time.

A command takes its arguments as text and returns a status and a text. A command line is split into words and run without
a shell: pipes, variables and patterns have no effect. Web pages are opened in a headless browser with an empty profile.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import uniform
from typing import Any
from urllib.parse import urlsplit

import websockets
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from remit.core.errors import AuthorityError, UsageError
from remit.gateway.inbound.nodes.devices import MOST, device_id, signed_text
from remit.gateway.private_files import made_once

SECONDS = 50.0
MOST_OUTPUT = 100_000  # characters
_WRONG, _ABSENT, _LATE = 2, 127, 124


def run(arguments: str) -> tuple[int, str]:
    """Run a program and wait for it. At the time limit its whole process group is killed."""
    try:
        words = shlex.split(arguments)
    except ValueError as error:
        return _WRONG, f"not a command line: {error}"
    if not words:
        return _WRONG, "no program is named"
    return started(words)


def started(words: list[str]) -> tuple[int, str]:
    """Start a program; return its status and output."""
    try:
        process = subprocess.Popen(  # noqa: S603  approved by a person
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        return _ABSENT, f"`{words[0]}` cannot be started: {(error.strerror or 'error').lower()}"
    try:
        output, _ = process.communicate(timeout=SECONDS)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = _LATE
    return max(-255, min(status, 255)), output.decode("utf-8", "replace")[:MOST_OUTPUT]


def which(arguments: str) -> tuple[int, str]:
    """Return the path of a program."""
    found = shutil.which(arguments.strip())
    return (0, found) if found else (1, "")


def notify(arguments: str) -> tuple[int, str]:
    """Show a desktop notification."""
    return started(["notify-send", "--", "Remit", arguments[:1000]])


_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def browser() -> str:
    """Return the path of this device's browser, or an empty string."""
    return next(filter(None, map(shutil.which, _BROWSERS)), "")


def _with_browser(address: str, *options: str) -> tuple[int, str]:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return _WRONG, "not the address of a page"
    found = browser()
    if not found:
        return _ABSENT, "no browser is there"
    with tempfile.TemporaryDirectory(prefix="remit-page-") as profile:
        own = ("--headless", "--disable-gpu", "--disable-extensions", "--no-first-run", f"--user-data-dir={profile}")
        return started([found, *own, *options, "--", address])


def read(arguments: str) -> tuple[int, str]:
    """Return the DOM of a page after its scripts ran."""
    return _with_browser(arguments.strip(), "--dump-dom")


def shot(arguments: str) -> tuple[int, str]:
    """Return a screenshot of a page in base64."""
    with tempfile.TemporaryDirectory(prefix="remit-shot-") as folder:
        path = Path(folder) / "page.png"
        status, told = _with_browser(arguments.strip(), f"--screenshot={path}", "--window-size=1024,768")
        if status or not path.exists():
            return status or 1, told
        text = base64.b64encode(path.read_bytes()).decode()
    return (0, text) if len(text) <= MOST_OUTPUT else (1, "the picture is too large")


_BYTES = 32
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before reconnecting; doubled with each try
BACKENDS: Mapping[str, Mapping[str, Callable[[str], tuple[int, str]]]] = {
    "linux": {"system.run": run, "system.which": which, "system.notify": notify},
    "browser": {"page.read": read, "page.shot": shot},
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
