"""Slack, by Socket Mode (slack_socket.py), or by its Events API if a signing secret is set.

(1) signature  `v0=` HMAC-SHA256 of `v0:timestamp:body` with the signing secret, not older than five minutes
(2) a challenge is answered, since it is verified to come from Slack
(3) an event is converted (slack_events.py)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.gateway.inbound.channels.interface import Incoming, Received, Reply, Sending, Went
from remit.gateway.inbound.channels.parsing import name_in, read_json
from remit.gateway.inbound.channels.platform_requests import (
    FAILED,
    UNKNOWN,
    Answer,
    Pause,
    address,
    load,
    pause_of,
    post,
    same_place,
    token,
)
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError, judged
from remit.gateway.inbound.channels.signatures import check_body, check_mac, header_of, stamp_of
from remit.gateway.inbound.channels.slack_events import event_of
from remit.gateway.inbound.channels.slack_socket import SocketMode
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.settings.values import Channel, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.delivery.state_machine import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment

API = "https://slack.com/api"
FILES = ("files.slack.com",)
_OPEN = (
    "fatal_error",
    "internal_error",
    "request_timeout",
    "service_unavailable",
)  # after these errors it may have been sent


class Slack(NamedTuple):
    """One Slack application of the operator."""

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
        stamp = stamp_of(incoming, "x-slack-request-timestamp")
        signature = header_of(incoming, "x-slack-signature")
        check_mac(self.settings.secret, f"v0:{stamp}:".encode() + incoming.body, signature, "v0=")  # (1)
        told = read_json(incoming.body)
        if told.get("type") == "url_verification":  # (2)
            return Received(reply=Reply(200, name_in(told.get("challenge"), r"[!-~]{1,500}").encode()))
        if told.get("type") != "event_callback":
            raise RefusedError(Refusal.KIND)
        return self.event(told)

    def event(self, told: dict[str, Any]) -> Received:
        """Parse a callback from either transport."""
        return Received((event_of(self.name, self.settings.account, told),))  # (3)

    def connection(self) -> SocketMode | None:
        """Return a connection if no signing secret is set: then Slack cannot call us."""
        return None if self.settings.secret else SocketMode(self)

    async def typing(self, route: Route) -> None:
        """Do nothing: Slack has no typing indicator for applications."""

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Download a file from Slack's own storage, which needs the token; no other host gets it."""
        if not same_place(file.source, self.api, FILES):
            raise MediaError("it lies outside of Slack")
        await load(self.client, file.source, {"Authorization": f"Bearer {self.settings.token}"}, write)

    async def send(self, piece: Piece) -> Sending:
        """Send a message. It cannot mention users, and Slack shows no link previews."""
        route = piece.route
        if not self.settings.token or route.channel != self.name or units(piece.body) > LONGEST[Platform.SLACK]:
            return FAILED
        told = {"channel": route.to, "text": _escaped(piece.body), "unfurl_links": False, "unfurl_media": False}
        told["mrkdwn"] = False  # an approval must show the exact characters that will run
        if piece.replaces:
            told["ts"] = piece.replaces
        elif route.thread:
            told["thread_ts"] = route.thread
        method, bearer = "chat.update" if piece.replaces else "chat.postMessage", f"Bearer {self.settings.token}"
        url, body = f"{self.api}/{method}", json.dumps(told).encode()
        return await post(self.client, url, body, {"Authorization": bearer}, _judge, self.pause)


def slack(name: str, settings: Channel, client: AsyncClient) -> Slack:
    """Return Slack with these settings; UsageError if they are unusable."""
    token(settings.token)
    token(settings.app_token)
    return Slack(name, settings, client, Pause(), address(settings.api, API))


def _judge(answer: Answer) -> Sending:
    told = answer.json()
    if told.get("ok") is True:
        stamp = told.get("ts")
        return Sending(Went.SENT, 0, stamp if isinstance(stamp, str) else "")
    if told.get("ok") is not False or told.get("error") in _OPEN:
        return UNKNOWN
    return Sending(Went.FAILED, pause_of(answer))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
