"""Telegram, by its Bot API: long polling (telegram_polling.py), or a webhook if a secret is set.

(1) the secret given to `setWebhook` comes in a header and is compared in constant time; Telegram signs nothing
(2) an update is converted to an event (telegram_updates.py)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.interface import Incoming, Received, Reply, Sending, Went
from remit.gateway.inbound.channels.parsing import part, read_json
from remit.gateway.inbound.channels.platform_requests import (
    FAILED,
    UNKNOWN,
    Answer,
    Pause,
    address,
    ask,
    load,
    post,
    token,
)
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.refusal import judged
from remit.gateway.inbound.channels.signatures import check_body, check_token, header_of
from remit.gateway.inbound.channels.telegram_polling import Polling
from remit.gateway.inbound.channels.telegram_updates import Ourselves, event_of, pressed
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.routing.agents import ANY
from remit.gateway.inbound.settings.values import Channel, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.delivery.state_machine import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment

API = "https://api.telegram.org"
_TOKEN = re.compile(r"([0-9]{1,20}):[A-Za-z0-9_-]{1,200}")
_CHAT, _NUMBER = re.compile(r"-?[0-9]{1,16}"), re.compile("[0-9]{1,16}")
_FILE = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")


class Telegram(NamedTuple):
    """One Telegram bot of the operator."""

    name: str
    settings: Channel
    client: AsyncClient
    pause: Pause
    ourselves: Ourselves
    api: str = API

    def receive(self, incoming: Incoming) -> Received:
        """Verify and parse a request."""
        return judged(self._read, incoming)

    def connection(self) -> Polling | None:
        """Return a connection if no secret is set: then Telegram cannot call us."""
        return None if self.settings.secret else Polling(self)

    def _read(self, incoming: Incoming) -> Received:
        check_body(incoming, self.settings.secret)
        check_token(self.settings.secret, header_of(incoming, "x-telegram-bot-api-secret-token"))  # (1)
        return self.update(incoming.body)

    def update(self, body: bytes) -> Received:
        """Parse an update from either transport. The reply, if any, is a Bot API method to call."""
        told = read_json(body)
        event = event_of(self.name, self.ourselves, told)  # (2)
        if query := pressed(told):  # the button shows a spinner until it is answered
            answer = {"method": "answerCallbackQuery", "callback_query_id": query}
            return Received((event,), Reply(200, json.dumps(answer).encode(), "application/json"))
        return Received((event,))

    async def send(self, piece: Piece) -> Sending:
        """Send a message as plain text, without markup and link previews."""
        where = self._where(piece.route)
        if where is None or not piece.body or units(piece.body) > LONGEST[Platform.TELEGRAM]:
            return FAILED
        told = {"chat_id": where["chat_id"], "text": piece.body, "link_preview_options": {"is_disabled": True}}
        if not piece.replaces:
            return await post(self.client, self.url("sendMessage"), _json(told | where), {}, _judge, self.pause)
        if not _NUMBER.fullmatch(piece.replaces):
            return FAILED
        told["message_id"] = int(piece.replaces)
        return await post(self.client, self.url("editMessageText"), _json(told), {}, _judge, self.pause)

    async def typing(self, route: Route) -> None:
        """Show the typing indicator for five seconds."""
        where = self._where(route)
        if where is not None:
            with suppress(httpx.HTTPError, OSError, TimeoutError):
                await ask(self.client, self.url("sendChatAction"), _json({**where, "action": "typing"}), {})

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Download a file from Telegram's own storage."""
        try:
            answer = await ask(self.client, self.url("getFile"), _json({"file_id": file.source}), {})
        except (httpx.HTTPError, OSError, TimeoutError):
            raise MediaError("the connection to the platform broke") from None
        path = part(answer.json(), "result", "file_path")
        if not isinstance(path, str) or not _FILE.fullmatch(path):
            raise MediaError("the platform does not give it")
        await load(self.client, f"{self.api}/file/bot{self.settings.token}/{path}", {}, write)

    def url(self, method: str) -> str:
        """Return the URL of a Bot API method; it contains the token."""
        return f"{self.api}/bot{self.settings.token}/{method}"

    def _where(self, route: Route) -> dict[str, Any] | None:
        fits = _CHAT.fullmatch(route.to) and (not route.thread or _NUMBER.fullmatch(route.thread))
        if not self.settings.token or route.channel != self.name or not fits:
            return None
        return {"chat_id": int(route.to)} | ({"message_thread_id": int(route.thread)} if route.thread else {})


def telegram(name: str, settings: Channel, client: AsyncClient) -> Telegram:
    """Return Telegram with these settings; UsageError if they are unusable."""
    found = _TOKEN.fullmatch(token(settings.token))
    if settings.token and not found:
        raise UsageError(
            f"the token of `{name}` is none of Telegram's", "write it as BotFather gave it: NUMBER:LETTERS"
        )
    number = found[1] if found else ""
    account, user = (number, "") if settings.account == ANY else (settings.account, settings.account.removeprefix("@"))
    ourselves = Ourselves(account, number, user)
    return Telegram(name, settings, client, Pause(), ourselves, address(settings.api, API))


def _json(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode()


def _judge(answer: Answer) -> Sending:
    told = answer.json()
    return Sending(Went.SENT, 0, str(part(told, "result", "message_id") or "")) if told.get("ok") is True else UNKNOWN
