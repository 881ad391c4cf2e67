"""Discord, over its WebSocket gateway (discord_connection.py), or its interactions endpoint if a public key is set.

(1) signature  Ed25519 of `timestamp body` with the application's public key, not older than five minutes
(2) a ping is answered, since it is verified to come from Discord
(3) a command or a button becomes an event (discord_events.py); Discord gets a deferred response
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from remit.gateway.inbound.channels.discord_connection import GatewayConnection
from remit.gateway.inbound.channels.discord_events import BACK, COMMAND, COMPONENT, Known, dispatch_of, interaction_of
from remit.gateway.inbound.channels.interface import Incoming, Received, Reply, Sending, Went
from remit.gateway.inbound.channels.parsing import part, read_json
from remit.gateway.inbound.channels.platform_requests import (
    FAILED,
    Answer,
    Pause,
    address,
    ask,
    load,
    post,
    same_place,
    token,
)
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError, judged
from remit.gateway.inbound.channels.signatures import MOST_BYTES, check_body, check_ed25519, header_of, stamp_of
from remit.gateway.inbound.channels.texts import LONGEST, plain_links, units
from remit.gateway.inbound.settings.values import Channel, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.delivery.state_machine import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment

API = "https://discord.com/api/v10"
FILES = ("cdn.discordapp.com", "media.discordapp.net")
PING, _DISPATCH = 1, 0  # type of an interaction; opcode of a gateway frame
_PONG, _LATER, _LATER_SILENTLY = 1, 5, 6  # types of the first response to an interaction
_NO_PREVIEWS = 4  # message flag: no link previews
_BACK, _CHANNEL = re.compile(BACK), re.compile("[0-9]{1,20}")


class Discord(NamedTuple):
    """One Discord application of the operator."""

    name: str
    settings: Channel
    client: AsyncClient
    pause: Pause
    api: str = API

    def receive(self, incoming: Incoming) -> Received:
        """Verify and parse a request."""
        return judged(self._read, incoming)

    def _read(self, incoming: Incoming) -> Received:
        check_body(incoming, self.settings.secret)
        stamp = stamp_of(incoming, "x-signature-timestamp")
        signature = header_of(incoming, "x-signature-ed25519")
        check_ed25519(self.settings.secret, stamp.encode() + incoming.body, signature)  # (1)
        told = read_json(incoming.body)
        if told.get("type") == PING:  # (2)
            return Received(reply=_json(_PONG))
        if told.get("type") not in (COMMAND, COMPONENT):
            raise RefusedError(Refusal.KIND)
        event = interaction_of(self.name, self.settings.account, told)
        return Received((event,), _json(_LATER if told["type"] == COMMAND else _LATER_SILENTLY))  # (3)

    def dispatched(self, frame: bytes, known: Known) -> Received:
        """Parse one frame of our connection to Discord's gateway. The connection itself proves its origin."""
        return judged(lambda one: self._frame(one, known), frame)

    def _frame(self, frame: bytes, known: Known) -> Received:
        if len(frame) > MOST_BYTES:
            raise RefusedError(Refusal.TOO_LARGE)
        told = read_json(frame)
        if told.get("op") != _DISPATCH:
            raise RefusedError(Refusal.KIND)
        if told.get("t") == "INTERACTION_CREATE":
            if part(told, "d", "type") not in (COMMAND, COMPONENT):
                raise RefusedError(Refusal.KIND)
            return Received((interaction_of(self.name, self.settings.account, told["d"]),))
        return Received((dispatch_of(self.name, self.settings, told, known),))

    def connection(self) -> GatewayConnection | None:
        """Return a connection if no public key is set: then Discord cannot call us."""
        return None if self.settings.secret else GatewayConnection(self)

    async def acknowledge(self, interaction: Any) -> None:
        """Acknowledge a stored interaction with a deferred response; Discord allows three seconds."""
        name, token, kind = (part(interaction, one) for one in ("id", "token", "type"))
        later = json.dumps({"type": _LATER if kind == COMMAND else _LATER_SILENTLY}).encode()
        with suppress(httpx.HTTPError, OSError, TimeoutError):
            await ask(self.client, f"{self.api}/interactions/{name}/{token}/callback", later, {})

    async def typing(self, route: Route) -> None:
        """Show the typing indicator for ten seconds."""
        room = route.thread or route.to
        if _CHANNEL.fullmatch(room):
            with suppress(httpx.HTTPError, OSError, TimeoutError):
                await ask(self.client, f"{self.api}/channels/{room}/typing", b"", self._bot())

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Download a file from Discord's own storage."""
        if not same_place(file.source, self.api, FILES):
            raise MediaError("it lies outside of Discord")
        await load(self.client, file.source, {}, write)

    def _bot(self) -> dict[str, str]:
        return {"Authorization": f"Bot {self.settings.token}"}

    async def send(self, piece: Piece) -> Sending:
        """Send a message to a channel or thread, or as response to an interaction. It cannot mention users."""
        route = piece.route
        text = plain_links(piece.body)
        if route.channel != self.name or not text or units(text) > LONGEST[Platform.DISCORD]:
            return FAILED
        told = {"content": text, "allowed_mentions": {"parse": []}, "flags": _NO_PREVIEWS}
        body = json.dumps(told).encode()
        if piece.replaces and not _CHANNEL.fullmatch(piece.replaces):
            return FAILED
        method, name = ("PATCH", f"/{piece.replaces}") if piece.replaces else ("POST", "")
        if back := _BACK.fullmatch(route.to):
            url, bot = f"{self.api}/webhooks/{back[1]}/{back[2]}" + (f"/messages{name}" if name else ""), {}
        else:
            room, bot = route.thread or route.to, self._bot()
            url = f"{self.api}/channels/{room}/messages{name}"
            if not self.settings.token or not _CHANNEL.fullmatch(room):
                return FAILED
        return await post(self.client, url, body, bot, _judge, self.pause, method)


def discord(name: str, settings: Channel, client: AsyncClient) -> Discord:
    """Return Discord with these settings; UsageError if they are unusable."""
    token(settings.token)
    return Discord(name, settings, client, Pause(), address(settings.api, API))


def _judge(answer: Answer) -> Sending:
    name = answer.json().get("id")
    return Sending(Went.SENT, 0, name if isinstance(name, str) else "")


def _json(kind: int) -> Reply:
    return Reply(200, json.dumps({"type": kind}).encode(), "application/json")
