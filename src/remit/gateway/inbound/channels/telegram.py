"""Telegram, by a webhook of its Bot API.

(1) the secret that was given to `setWebhook` comes in a header; Telegram signs nothing, so that it is compared in constant time
(2) an update becomes one of our events (telegram_updates.py)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.form import Received, Reply, Sending
from remit.gateway.inbound.channels.posting import FAILED, SENT, UNKNOWN, address, post, token
from remit.gateway.inbound.channels.reading import read_json
from remit.gateway.inbound.channels.refusal import judged
from remit.gateway.inbound.channels.signing import check_body, check_token, header_of
from remit.gateway.inbound.channels.telegram_updates import Ourselves, event_of, pressed
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.routing.agents import ANY
from remit.gateway.inbound.settings.values import Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.form import Incoming
    from remit.gateway.inbound.channels.posting import Answer
    from remit.gateway.inbound.delivery.life import Piece
    from remit.gateway.inbound.settings.values import Channel

API = "https://api.telegram.org"
_TOKEN = re.compile(r"([0-9]{1,20}):[A-Za-z0-9_-]{1,200}")
_CHAT, _THREAD = re.compile(r"-?[0-9]{1,16}"), re.compile("[0-9]{1,16}")


class Telegram(NamedTuple):
    """One bot of ours."""

    name: str
    settings: Channel
    client: AsyncClient
    ourselves: Ourselves
    api: str = API

    def receive(self, incoming: Incoming) -> Received:
        """What a request was."""
        return judged(self._read, incoming)

    def _read(self, incoming: Incoming) -> Received:
        check_body(incoming, self.settings.secret)
        check_token(self.settings.secret, header_of(incoming, "x-telegram-bot-api-secret-token"))  # (1)
        told = read_json(incoming.body)
        event = event_of(self.name, self.ourselves, told)  # (2)
        if query := pressed(told):  # whoever presses a button waits until Telegram is told that we saw it
            answer = {"method": "answerCallbackQuery", "callback_query_id": query}
            return Received((event,), Reply(200, json.dumps(answer).encode(), "application/json"))
        return Received((event,))

    async def send(self, piece: Piece) -> Sending:
        """Say something in a chat. It is sent as it is: nothing in it is markup, and Telegram looks at no link in it."""
        route = piece.route
        fits = _CHAT.fullmatch(route.to) and (not route.thread or _THREAD.fullmatch(route.thread))
        if not self.settings.token or route.channel != self.name or not fits:
            return FAILED
        if not piece.body or units(piece.body) > LONGEST[Platform.TELEGRAM]:
            return FAILED
        told = {"chat_id": int(route.to), "text": piece.body, "link_preview_options": {"is_disabled": True}}
        body = json.dumps(told | ({"message_thread_id": int(route.thread)} if route.thread else {})).encode()
        return await post(self.client, f"{self.api}/bot{self.settings.token}/sendMessage", body, {}, _judge)


def telegram(name: str, settings: Channel, client: AsyncClient) -> Telegram:
    """Telegram with these settings; UsageError if they can not be used."""
    found = _TOKEN.fullmatch(token(settings.token))
    if settings.token and not found:
        raise UsageError(
            f"the token of `{name}` is none of Telegram's", "write it as BotFather gave it: NUMBER:LETTERS"
        )
    number = found[1] if found else ""
    account, user = (number, "") if settings.account == ANY else (settings.account, settings.account.removeprefix("@"))
    return Telegram(name, settings, client, Ourselves(account, number, user), address(settings.api, API))


def _judge(answer: Answer) -> Sending:
    return SENT if answer.json().get("ok") is True else UNKNOWN
