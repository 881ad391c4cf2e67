"""The web chat's socket, and the channel behind it.

    browser  {"login": SECRET}
    gateway  {"in": true}
    browser  {"secret": HEX, "history": whether it shows what was said before}: who it is, the same as last time
    gateway  {"you": NAME}, {"history": LINES}; without `history` what was said while it was away, as `said`
    browser  {"say": TEXT, "id": HEX}
    gateway  {"heard": ID, "fate": …}, {"showing": the answer so far, "about": what it answers}, {"said": TEXT, "about": …},
             {"yours": TEXT}: what the visitor said in another window

A visitor is known by a secret that its browser made; its name follows from it, so that nobody takes another's. What is said is kept
on the disk before it is shown, so that an answer reaches a visitor who is away, too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from starlette.websockets import WebSocket, WebSocketDisconnect

from remit.core.shape import Flag, Record, Text
from remit.gateway.inbound.channels.connected import said, visitor_name
from remit.gateway.inbound.channels.form import Incoming, Received, Reply, Sending, Went
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.delivery.history import Line, Side, add, come_back, missed
from remit.gateway.inbound.ingress.gate import Heard
from remit.web.letting_in import MOST, SHUT, Door

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.life import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment
    from remit.gateway.inbound.running import Inbound

_SECRET = Record({"secret": Text(64, r"[0-9a-f]{64}"), "history": Flag()}, frozenset({"history"}))
_SAY = Record({"say": Text(16_000), "id": Text(32, r"[0-9a-f]{8,32}")})


class WebChat:
    """The channel: browsers, or terminals, that are there, by the name of their visitor."""

    def __init__(self, name: str, inbound: Inbound) -> None:
        self._name, self._inbound = name, inbound
        self._there: dict[str, set[WebSocket]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def receive(self, incoming: Incoming) -> Received:  # noqa: ARG002  the form of a channel
        """Nothing comes in but through the socket."""
        return Received(reply=Reply(404), refused="NO_SUCH_WAY")

    async def send(self, piece: Piece) -> Sending:
        """Kept for the visitor, and shown in every browser that is there. Who is away is shown it on coming back."""
        visitor = piece.route.to
        line = Line(Side.GATEWAY, piece.body, piece.trace, self._inbound.now())
        async with self._one(visitor):
            there = tuple(self._there.get(visitor, ()))
            await self._inbound.kept(add(self._name, visitor, line, seen=bool(there)))
            shown = [await _tell(socket, {"said": piece.body, "about": piece.trace}) for socket in there]
            if there and not any(shown):
                await self._inbound.kept(missed(self._name, visitor))
        return Sending(Went.SENT)

    async def keep(self, visitor: str, text: str, event: str, own: WebSocket) -> None:
        """What a visitor said, for its other windows and for later."""
        line = Line(Side.VISITOR, text, event, self._inbound.now())
        await self._inbound.kept(add(self._name, visitor, line, seen=True))
        for socket in self._there.get(visitor, set()) - {own}:
            await _tell(socket, {"yours": text})

    async def welcome(self, visitor: str, socket: WebSocket, *, history: bool) -> None:
        """Somebody is there: everything that was said is shown, or what came meanwhile; after it, what comes."""
        async with self._one(visitor):
            known = await self._inbound.kept(come_back(self._name, visitor))
            if history:
                await _tell(socket, {"history": [line._asdict() for line in known.lines]})
            else:
                for line in known.lines[len(known.lines) - known.unseen :]:
                    await _tell(socket, {"said": line.text, "about": line.about})
            self._there.setdefault(visitor, set()).add(socket)

    def _one(self, visitor: str) -> asyncio.Lock:
        """Lines of a visitor come one after the other, and none between what was kept and what comes."""
        return self._locks.setdefault(visitor, asyncio.Lock())

    async def show(self, route: Route, trace: str, text: str) -> None:
        """An answer that is being made, to every browser of the visitor that is there."""
        for socket in tuple(self._there.get(route.to, ())):
            await _tell(socket, {"showing": text, "about": trace})

    def connection(self) -> None:
        """Browsers come to us."""

    async def typing(self, route: Route) -> None:
        """Not shown."""

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:  # noqa: ARG002  the form of a channel
        """Visitors bring texts alone."""
        raise MediaError(f"`{file.source}` is no file of this channel")

    def go(self, name: str, socket: WebSocket) -> None:
        """It is not any more."""
        self._there.get(name, set()).discard(socket)
        if not self._there.get(name):
            self._there.pop(name, None)


class Place(NamedTuple):
    """The channel that a socket belongs to, and its account, which is always the same."""

    channel: str
    account: str
    chat: WebChat


async def serve_chat(inbound: Inbound, place: Place, door: Door, socket: WebSocket) -> None:
    """One browser, or terminal, until it goes."""
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
            (fate,) = await inbound.take(place.channel, Received((event,)), again=True)  # the visitor is told
            if fate.heard is not Heard.DROPPED:
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
