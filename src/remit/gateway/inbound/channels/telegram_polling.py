"""Telegram's long polling.

An update is confirmed by requesting the ones after it, which happens only after it is stored.

The gateway stores no position: Telegram repeats unconfirmed updates, and stored ones are ignored. A stored position
could be wrong, since Telegram may restart its update numbers at random after a week without updates.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.channels.parsing import part
from remit.gateway.inbound.channels.platform_requests import ask, pause_of
from remit.gateway.inbound.channels.refusal import judged
from remit.gateway.inbound.routing.agents import ANY

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.interface import Inbox
    from remit.gateway.inbound.channels.telegram import Telegram
    from remit.gateway.inbound.channels.telegram_updates import Ourselves

KINDS = ("message", "edited_message", "callback_query", "message_reaction")
WAIT, MORE = 25, 15  # seconds that Telegram holds a request open; further seconds for its answer
MOST = 8 * 1024 * 1024  # bytes of an answer
_BATCH = 100
PRIVACY = (
    "the bot does not see what is said in groups without its name: @BotFather, /setprivacy, Disable, then add it again"
)


class Polling(NamedTuple):
    """See interface.Connection."""

    channel: Telegram

    async def run(self, inbox: Inbox) -> None:
        """Poll until an error occurs."""
        me = await self._ask("getMe", {})
        channel = self.channel._replace(ourselves=self._ourselves(me))
        unnamed = bool(channel.settings.gate.unnamed) and part(me, "can_read_all_group_messages") is not True
        offset = wait = 0
        while True:
            asked = {"offset": offset, "limit": _BATCH, "timeout": wait, "allowed_updates": KINDS}
            updates = await self._ask("getUpdates", asked)
            if not wait:
                inbox.connected(PRIVACY if unnamed else "")
                wait = WAIT
            for update in updates if isinstance(updates, list) else ():
                number = part(update, "update_id")
                if not isinstance(number, int) or isinstance(number, bool):
                    raise ChannelError("Telegram's answer has another form", "look at `api`")
                received = judged(channel.update, json.dumps(update).encode())
                await inbox.take(received)
                await self._reply(received.reply.body)
                offset = max(offset, number + 1)

    def _ourselves(self, me: Any) -> Ourselves:
        known, wanted = self.channel.ourselves, self.channel.settings.account
        user = part(me, "username")
        if not isinstance(user, str):
            raise ChannelError("Telegram does not say who we are", "look at `api`")
        if wanted not in (ANY, known.number) and wanted.removeprefix("@").lower() != user.lower():
            remedy = "set `account` to that name, or give the other bot's token"
            raise ChannelError(f"the token is that of `@{user}`, and `account` says `{wanted}`", remedy, operator=True)
        return known._replace(user=user)

    async def _ask(self, method: str, told: dict[str, Any]) -> Any:
        """Return the result of a method; ChannelError with a remedy if it fails."""
        url, seconds = self.channel.url(method), float(told.get("timeout", 0) + MORE)
        answer = await ask(self.channel.client, url, json.dumps(told).encode(), {}, seconds=seconds, most=MOST)
        if answer.status == 200 and answer.json().get("ok") is True:
            return answer.json().get("result")
        said = answer.json().get("description")
        match answer.status:
            case 401 | 404:
                remedy = "get it from @BotFather with /token, and write it into the file under `token_file`"
                raise ChannelError("Telegram does not know the token", remedy, operator=True)
            case 409 if isinstance(said, str) and "webhook" in said:
                remedy = "call deleteWebhook once, or set `secret_file` if Telegram shall call this gateway"
                raise ChannelError(
                    "a webhook is set for this bot, so that nothing can be asked for", remedy, operator=True
                )
            case 409:
                raise ChannelError("another program asks for the updates of this bot", "stop it: one bot, one gateway")
            case 429:
                raise ChannelError("Telegram wants to be left alone for a while", pause=pause_of(answer))
        raise ChannelError(f"Telegram answers {answer.status}", "it is tried again")

    async def _reply(self, body: bytes) -> None:
        """Call the method that a webhook would have answered with."""
        if body:
            told = json.loads(body)
            with suppress(httpx.HTTPError, OSError, TimeoutError):
                await ask(self.channel.client, self.channel.url(told.pop("method")), json.dumps(told).encode(), {})
