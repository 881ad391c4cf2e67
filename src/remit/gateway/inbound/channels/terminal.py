"""Messages of the web chat and the command line, and the command-line client; the protocol is that of web/chat.py.

Messages are not signed there. The speaker is the one who logged in on the connection (access), never a field of the
message.

In a script, each line is sent after the answer to the one before, so that answers come in order. Interactive input does
not wait.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import websockets

from remit.core.digest import bytes_digest
from remit.core.errors import AuthorityError
from remit.gateway.inbound.channels.parsing import made, name_in
from remit.gateway.inbound.events import Event, EventResult, What
from remit.gateway.inbound.pairing import Outcome
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.private_files import made_once

if TYPE_CHECKING:
    from pathlib import Path


_NAME = "[A-Za-z0-9._:-]{1,100}"
_SECRET = 32  # bytes
_MOST = 1024 * 1024
_ANSWER, _MORE = 600.0, 0.3  # seconds for an answer, and for further parts of it


def visitor_name(secret: str) -> str:
    """Return the name of the visitor with this secret. It cannot be claimed without the secret."""
    return bytes_digest(b"remit visitor\0" + bytes.fromhex(secret)).removeprefix("sha256:")[:24]


def said(channel: str, account: str, peer: str, text: str, name: str) -> Event:
    """Return the event for a message; RefusedError if a name is malformed.

    `peer`: who logged in; `name`: the client's id for the message, which lets it retry. Ids of different peers are kept
    apart, so no client can block another's message. Lone surrogates, which a browser can send and no store accepts, are
    replaced.
    """
    place, plain = (
        ChatAddress(channel, account, ConversationKind.DIRECT, peer),
        text.encode("utf-8", "replace").decode(),
    )
    return made(place, What.SAID, plain, name_in(name, _NAME), event=f"{len(peer)}/{peer}/{name}")


def visitors_secret(path: Path) -> str:
    """Return the secret that identifies this terminal; create it first if needed."""
    return made_once(path, "the secret of this terminal", _SECRET, lambda: secrets.token_bytes(_SECRET)).hex()


class LineResult(NamedTuple):
    """The gateway's response to a line."""

    fate: str
    reason: str

    @property
    def answered(self) -> bool:
        """Return whether an answer or a pairing code will follow."""
        return self.fate in (EventResult.HEARD, EventResult.COMMAND) or (self.fate, self.reason) == (
            EventResult.PAIRING,
            Outcome.ASKED,
        )


class Terminal:
    """One connection. `tell`: prints a text of the agent."""

    def __init__(self, url: str, login: str, secret: str, tell: Callable[[str], None]) -> None:
        self._url, self._login, self._secret, self._tell = url, login, secret, tell
        self._fates: asyncio.Queue[LineResult] = asyncio.Queue()
        self._answers: asyncio.Queue[str] = asyncio.Queue()  # the message that each answer is about
        self._name = ""

    async def run(self, lines: AsyncIterator[str], *, wait: bool) -> bool:
        """Send lines until there are no more; return whether all were accepted.

        AuthorityError if the gateway disconnects.
        """
        try:
            async with websockets.connect(self._url, max_size=_MOST) as socket:
                await self._come_in(socket)
                hearing = asyncio.create_task(self._hear(socket))
                speaking = asyncio.create_task(self._speak(socket, lines, wait=wait))
                try:
                    await asyncio.wait((hearing, speaking), return_when=asyncio.FIRST_COMPLETED)
                    if not speaking.done():
                        hearing.result()
                    return await speaking
                finally:
                    for task in (hearing, speaking):
                        task.cancel()
        except (OSError, websockets.WebSocketException, ValueError, TimeoutError) as error:
            raise AuthorityError(f"the gateway ended it: {error}", "look at the gateway, and connect again") from None

    async def _come_in(self, socket: Any) -> None:
        await socket.send(json.dumps({"login": self._login}))
        told = json.loads(await socket.recv())
        if told != {"in": True}:
            raise AuthorityError("the gateway does not let this terminal in", "give its token with --login-file")
        await socket.send(json.dumps({"secret": self._secret}))
        self._name = json.loads(await socket.recv())["you"]

    async def _hear(self, socket: Any) -> None:
        async for text in socket:
            match json.loads(text):
                case {"said": str(said), **rest}:
                    self._tell(said)
                    self._answers.put_nowait(str(rest.get("about", "")))
                case {"heard": _, "fate": str(fate), "reason": str(reason)}:
                    self._fates.put_nowait(LineResult(fate, reason))
                case {"refused": str(reason)}:
                    self._fates.put_nowait(LineResult(EventResult.DROPPED, reason))
        raise ConnectionError("it is closed")

    async def _speak(self, socket: Any, lines: AsyncIterator[str], *, wait: bool) -> bool:
        heard = True
        async for line in lines:
            if not line.strip():
                continue
            name = secrets.token_hex(16)
            await socket.send(json.dumps({"say": line, "id": name}))
            spoken = await self._fates.get()
            if spoken.fate not in (EventResult.HEARD, EventResult.COMMAND):
                heard = False
                self._tell(f"[not heard: {spoken.fate} {spoken.reason}]")
            if wait and spoken.answered:
                await self._answer_to(name)
        return heard

    async def _answer_to(self, name: str) -> None:
        async with asyncio.timeout(_ANSWER):
            while not (await self._answers.get()).endswith(f"/{name}"):
                pass
        while True:
            try:
                async with asyncio.timeout(_MORE):
                    await self._answers.get()
            except TimeoutError:
                return
