"""Webhook for programs of the operator: signed requests come in, and answers go out signed.

    x-remit-timestamp: 1765000000
    x-remit-signature: v1=HMAC-SHA256(secret, "in:" timestamp ":" body)        incoming
    x-remit-signature: v1=HMAC-SHA256(token or secret, "out:" timestamp ":" body)    outgoing

The prefixes differ, so that an answer of ours cannot be sent back as a request. Such a program acts as a platform: it
vouches for the speaker, for roles and for mentions.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from remit.core.shape import Flag, Items, Record, Text, Word
from remit.gateway.inbound.channels.interface import Incoming, Received, Reply, Sending
from remit.gateway.inbound.channels.parsing import (
    Refusal,
    RefusedError,
    check_body,
    check_mac,
    header_of,
    mac,
    made,
    read_json,
    stamp_of,
)
from remit.gateway.inbound.channels.platform_requests import FAILED, PlatformChannel, address, by_status, post
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.events import What
from remit.gateway.inbound.routing import ANY, ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import ChannelSettings, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.delivery import Piece

STAMP, SIGNATURE, PREFIX = "x-remit-timestamp", "x-remit-signature", "v1="
_NAME = Text(200)
FORM = Record(
    {
        "id": _NAME,
        "message": _NAME,
        "what": Word(tuple(What)),
        "from": _NAME,
        "room": _NAME,
        "thread": _NAME,
        "text": Text(100_000, empty=True),
        "mentioned": Flag(),
        "roles": Items(_NAME, 250),
        "machine": Flag(),
        "behind": _NAME,
    },
    frozenset({"what", "room", "thread", "mentioned", "roles", "machine", "behind"}),
)


class Webhook(PlatformChannel):
    """One webhook."""

    def __init__(self, name: str, settings: ChannelSettings, client: AsyncClient) -> None:
        super().__init__(name, settings, client, address(settings.api, "") if settings.api else "")

    def receive(self, incoming: Incoming) -> Received:
        """Verify and parse a request.

        A signed but malformed one gets status 400, because the operator can fix the program.
        """
        found = super().receive(incoming)
        return found._replace(reply=Reply(400)) if found.refused == Refusal.FORM else found

    def _read(self, incoming: Incoming) -> Received:
        check_body(incoming, self.settings.secret)
        stamp = stamp_of(incoming, STAMP)
        signed = f"in:{stamp}:".encode() + incoming.body
        check_mac(self.settings.secret, signed, header_of(incoming, SIGNATURE), PREFIX)
        told = read_json(incoming.body)
        if FORM.fault(told, "event"):
            raise RefusedError(Refusal.FORM)
        room = told.get("room", "")
        place = ChatAddress(
            self.name,
            "" if self.settings.account == ANY else self.settings.account,
            ConversationKind.GROUP if room else ConversationKind.DIRECT,
            told["from"],
            room,
            told.get("thread", ""),
        )
        event = made(
            place,
            What(told.get("what", What.SAID)),
            told["text"],
            told["message"],
            event=told["id"],
            mentioned=told.get("mentioned", False),
            roles=frozenset(told.get("roles", ())),
            machine=told.get("machine", False),
            behind=told.get("behind", ""),
        )
        return Received((event,))

    async def send(self, piece: Piece) -> Sending:
        """Send a message to the program."""
        route = piece.route
        if not self.api or route.channel != self.name or units(piece.body) > LONGEST[Platform.WEBHOOK]:
            return FAILED
        told = {
            "to": route.to,
            "kind": str(route.kind),
            "thread": route.thread,
            "text": piece.body,
            "trace": piece.trace,
        }
        body = json.dumps({name: one for name, one in told.items() if one}).encode()
        stamp = str(int(time.time()))
        signature = mac(self.settings.token or self.settings.secret, f"out:{stamp}:".encode() + body)
        return await post(
            self.client, self.api, body, {STAMP: stamp, SIGNATURE: PREFIX + signature}, by_status, self.pause
        )
