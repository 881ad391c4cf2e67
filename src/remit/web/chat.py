"""Socket and channel of the web chat.

    browser  {"login": SECRET}
    gateway  {"in": true}
    browser  {"secret": HEX, "history": whether it shows earlier messages}: identifies the visitor
    gateway  {"you": NAME}, {"history": LINES}; without `history` the missed messages, as `said`
    browser  {"say": TEXT, "id": HEX}
    gateway  {"heard": ID, "fate": …}, {"showing": partial answer, "about": the message}, {"said": TEXT, "about": …},
             {"yours": TEXT}: a message of the visitor from another window

A visitor is identified by a secret that the browser created. The visitor's name is derived from it, so it cannot be
claimed without the secret. Messages are stored before they are shown, so an answer also reaches a visitor who is away.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from starlette.websockets import WebSocket, WebSocketDisconnect

from remit.core.shape import Flag, Record, Text
from remit.gateway.inbound.channels.interface import Channel, Received, Sending, SendResult
from remit.gateway.inbound.channels.terminal import said, visitor_name
from remit.gateway.inbound.chat_history import Line, Side, add, come_back, missed
from remit.gateway.inbound.events import EventResult
from remit.web.login import MOST, SHUT, Door

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery import Piece, Route
    from remit.gateway.inbound.service import Inbound

_SECRET = Record({"secret": Text(64, r"[0-9a-f]{64}"), "history": Flag()}, frozenset({"history"}))
_SAY = Record({"say": Text(16_000), "id": Text(32, r"[0-9a-f]{8,32}")})


class WebChat(Channel):
    """The channel, with the connected browsers or terminals by visitor name."""

    def __init__(self, name: str, inbound: Inbound) -> None:
        self._name, self._inbound = name, inbound
        self._there: dict[str, set[WebSocket]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def send(self, piece: Piece) -> Sending:
        """Store a message and show it in the visitor's open windows; an absent visitor sees it on returning."""
        visitor = piece.route.to
        line = Line(Side.GATEWAY, piece.body, piece.trace, self._inbound.now())
        async with self._one(visitor):
            there = tuple(self._there.get(visitor, ()))
            await self._inbound.kept(add(self._name, visitor, line, seen=bool(there)))
            shown = [await _tell(socket, {"said": piece.body, "about": piece.trace}) for socket in there]
            if there and not any(shown):
                await self._inbound.kept(missed(self._name, visitor))
        return Sending(SendResult.SENT)

    async def keep(self, visitor: str, text: str, event: str, own: WebSocket) -> None:
        """Store a visitor's message and show it in the visitor's other windows."""
        line = Line(Side.VISITOR, text, event, self._inbound.now())
        await self._inbound.kept(add(self._name, visitor, line, seen=True))
        for socket in self._there.get(visitor, set()) - {own}:
            await _tell(socket, {"yours": text})

    async def welcome(self, visitor: str, socket: WebSocket, *, history: bool) -> None:
        """Show earlier or missed messages, then connect the socket for new ones."""
        async with self._one(visitor):
            known = await self._inbound.kept(come_back(self._name, visitor))
            if history:
                await _tell(socket, {"history": [line._asdict() for line in known.lines]})
            else:
                for line in known.lines[len(known.lines) - known.unseen :]:
                    await _tell(socket, {"said": line.text, "about": line.about})
            self._there.setdefault(visitor, set()).add(socket)

    def _one(self, visitor: str) -> asyncio.Lock:
        """Return the visitor's lock, which keeps stored and new messages in order."""
        return self._locks.setdefault(visitor, asyncio.Lock())

    async def show(self, route: Route, trace: str, text: str) -> None:
        """Show a partial answer in the visitor's open windows."""
        for socket in tuple(self._there.get(route.to, ())):
            await _tell(socket, {"showing": text, "about": trace})

    def go(self, name: str, socket: WebSocket) -> None:
        """Remove a closed socket."""
        self._there.get(name, set()).discard(socket)
        if not self._there.get(name):
            self._there.pop(name, None)


class ChatPlace(NamedTuple):
    """The channel and account of a socket."""

    channel: str
    account: str
    chat: WebChat


async def serve_chat(inbound: Inbound, place: ChatPlace, door: Door, socket: WebSocket) -> None:
    """Serve one browser or terminal until it disconnects."""
    name, chat = "", place.chat
    try:
        while not await door.first(await door.heard()):
            if not door.open:
                await socket.close(SHUT)
                return
            await _tell(socket, {"refused": "AUTH"})
        await _tell(socket, {"in": True})
        told = _read(await door.heard(), _SECRET)
        if told is None:
            await socket.close(4400)
            return
        name = visitor_name(told["secret"])
        door.proved = True
        await _tell(socket, {"you": name})
        await chat.welcome(name, socket, history=told.get("history", False))
        while True:
            told = _read(await door.heard(), _SAY)
            if told is None:
                await _tell(socket, {"refused": "FORM"})
                continue
            event = said(place.channel, place.account, name, told["say"], told["id"])
            (fate,) = await inbound.take(
                place.channel, Received((event,)), again=True
            )  # the visitor's client may retry
            if fate.heard is not EventResult.DROPPED:
                await chat.keep(name, event.text, event.event, socket)
            await _tell(socket, {"heard": told["id"], "fate": str(fate.heard), "reason": fate.reason})
    except WebSocketDisconnect:
        return
    finally:
        if name:
            chat.go(name, socket)


def _read(text: str, form: Record) -> dict[str, Any] | None:
    try:
        told = json.loads(text) if len(text) <= MOST else None
    except (ValueError, RecursionError):
        return None
    return None if told is None or form.fault(told, "message") else told


async def _tell(socket: WebSocket, told: dict[str, Any]) -> bool:
    try:
        async with asyncio.timeout(10):
            await socket.send_text(json.dumps(told))
    except (RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
        return False
    return True
