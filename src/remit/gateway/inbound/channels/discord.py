"""Discord, by its interactions endpoint, and by what its gateway sends to whoever holds a connection there.

(1) signature  Ed25519 of `timestamp body` with the public key of the application, not older than five minutes
(2) a ping is answered, now that it is known to come from Discord
(3) a command or a button becomes an event (discord_events.py); Discord is told that the answer comes later
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.channels.discord_events import BACK, COMMAND, COMPONENT, Known, dispatch_of, interaction_of
from remit.gateway.inbound.channels.form import Received, Reply, Sending
from remit.gateway.inbound.channels.posting import FAILED, Pause, address, by_status, post, token
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.reading import read_json
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError, judged
from remit.gateway.inbound.channels.signing import MOST_BYTES, check_body, check_ed25519, header_of, stamp_of
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.settings.values import Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.form import Incoming
    from remit.gateway.inbound.channels.quarantine import Kept, Quarantine
    from remit.gateway.inbound.delivery.life import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment
    from remit.gateway.inbound.settings.values import Channel

API = "https://discord.com/api/v10"
PING, _DISPATCH = 1, 0  # of an interaction; of a frame of the gateway
_PONG, _LATER, _LATER_SILENTLY = ({"type": number} for number in (1, 5, 6))
_NO_PREVIEWS = 4  # flag of a message: no link in it is looked at
_BACK, _CHANNEL = re.compile(BACK), re.compile("[0-9]{1,20}")


class Discord(NamedTuple):
    """One application of ours."""

    name: str
    settings: Channel
    client: AsyncClient
    quarantine: Quarantine
    pause: Pause
    api: str = API

    def receive(self, incoming: Incoming) -> Received:
        """What a request was."""
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
        """What Discord's gateway sent on a connection that is ours, which is what proves it: one frame, as it came."""
        return judged(lambda one: self._frame(one, known), frame)

    def _frame(self, frame: bytes, known: Known) -> Received:
        if len(frame) > MOST_BYTES:
            raise RefusedError(Refusal.TOO_LARGE)
        told = read_json(frame)
        if told.get("op") != _DISPATCH:
            raise RefusedError(Refusal.KIND)
        return Received((dispatch_of(self.name, self.settings, told, known),))

    def connection(self) -> None:
        """The platform calls us."""

    async def typing(self, route: Route) -> None:
        """Not shown."""

    async def fetch(self, file: Attachment) -> Kept:
        """Not taken yet."""
        raise MediaError(f"`{file.source}` is no file of this channel")

    async def send(self, piece: Piece) -> Sending:
        """Say something in a room or a thread, or as the answer to an interaction. Nothing in it calls anybody."""
        route = piece.route
        if route.channel != self.name or not piece.body or units(piece.body) > LONGEST[Platform.DISCORD]:
            return FAILED
        told = {"content": piece.body, "allowed_mentions": {"parse": []}, "flags": _NO_PREVIEWS}
        body = json.dumps(told).encode()
        if back := _BACK.fullmatch(route.to):
            return await post(self.client, f"{self.api}/webhooks/{back[1]}/{back[2]}", body, {}, by_status, self.pause)
        room = route.thread or route.to
        if not self.settings.token or not _CHANNEL.fullmatch(room):
            return FAILED
        bot = {"Authorization": f"Bot {self.settings.token}"}
        return await post(self.client, f"{self.api}/channels/{room}/messages", body, bot, by_status, self.pause)


def discord(name: str, settings: Channel, client: AsyncClient, quarantine: Quarantine) -> Discord:
    """Discord with these settings; UsageError if they can not be used."""
    token(settings.token)
    return Discord(name, settings, client, quarantine, Pause(), address(settings.api, API))


def _json(told: dict[str, int]) -> Reply:
    return Reply(200, json.dumps(told).encode(), "application/json")
