"""Slack's Socket Mode: a WebSocket that the gateway opens.

Each envelope is acknowledged after its event is stored; Slack repeats unacknowledged ones.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import websockets

from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.channels.parsing import name_in, part, read_json
from remit.gateway.inbound.channels.platform_requests import address, ask, pause_of
from remit.gateway.inbound.channels.refusal import Refusal, RefusedError, judged

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.interface import Inbox, Received
    from remit.gateway.inbound.channels.slack import Slack

MOST = 1024 * 1024  # bytes of a frame
_ENVELOPE = "[A-Za-z0-9._-]{1,100}"
_SCOPES = ("chat:write",)
_REMEDIES = {
    "invalid_auth": "give the app-level token (xapp-…) with the right connections:write under `app_token_file`",
    "not_authed": "give the app-level token (xapp-…) with the right connections:write under `app_token_file`",
    "not_allowed_token_type": "`app_token_file` wants the app-level token (xapp-…), `token_file` the bot token (xoxb-…)",
    "token_revoked": "install the application in the workspace again, and give its new token",
    "account_inactive": "install the application in the workspace again, and give its new token",
    "missing_scope": "add the right under OAuth & Permissions, and install the application again",
    "forbidden_team": "the application is not allowed in this workspace: ask its administrators",
}


class SocketMode(NamedTuple):
    """See interface.Connection."""

    channel: Slack

    async def run(self, inbox: Inbox) -> None:
        """Run until Slack requests a new connection, every few hours."""
        await self._check_bot()
        told = await self._ask("apps.connections.open", self.channel.settings.app_token)
        url = part(told, "url")
        async with websockets.connect(_socket(url, self.channel.api), max_size=MOST, proxy=None) as socket:
            async for frame in socket:
                told = _read(frame)
                match part(told, "type"):
                    case "hello":
                        inbox.connected()
                    case "disconnect" if part(told, "reason") == "link_disabled":
                        remedy = "turn Socket Mode on in the settings of the application"
                        raise ChannelError("Socket Mode is turned off", remedy, operator=True)
                    case "disconnect":
                        return
                    case _:
                        await self._envelope(inbox, socket, told)

    async def _envelope(self, inbox: Inbox, socket: Any, told: dict[str, Any]) -> None:
        name = part(told, "envelope_id")
        if not isinstance(name, str):
            return
        await inbox.take(judged(self._event, told))
        await socket.send(json.dumps({"envelope_id": name}))

    def _event(self, told: dict[str, Any]) -> Received:
        name_in(told["envelope_id"], _ENVELOPE)
        if told.get("type") != "events_api":
            raise RefusedError(Refusal.KIND)
        return self.channel.event(read_json(json.dumps(told.get("payload")).encode()))

    async def _check_bot(self) -> None:
        """Check the bot token before the channel is reported as working."""
        told = await self._ask("auth.test", self.channel.settings.token)
        wanted, found = self.channel.settings.account, part(told, "team_id")
        if wanted not in ("*", found):
            remedy = "set `account` to that id, or give the token of the other workspace"
            raise ChannelError(
                f"the token is for the workspace `{found}`, and `account` says `{wanted}`", remedy, operator=True
            )

    async def _ask(self, method: str, token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        answer = await ask(self.channel.client, f"{self.channel.api}/{method}", b"{}", headers)
        told = answer.json()
        if answer.status == 429 or told.get("error") == "ratelimited":
            raise ChannelError("Slack wants to be left alone for a while", pause=pause_of(answer))
        if answer.status != 200:
            raise ChannelError(f"Slack answers {answer.status} to `{method}`", "it is tried again")
        if told.get("ok") is not True:
            error = str(told.get("error"))[:100]
            remedy = _REMEDIES.get(error, "it is tried again")
            needed = told.get("needed")
            if error == "missing_scope" and isinstance(needed, str):
                remedy = f"add `{needed[:100]}` under OAuth & Permissions, and install the application again"
            raise ChannelError(f"Slack answers `{error}` to `{method}`", remedy, operator=error in _REMEDIES)
        return told


def _socket(url: Any, api: str) -> str:
    """Check the WebSocket URL from Slack: encrypted, or local if `api` is local."""
    if not isinstance(url, str):
        raise ChannelError("Slack gives no address to connect to", "look at `api`")
    plain = url.startswith("ws://") and api.startswith("http://")
    if not plain and not url.startswith("wss://"):
        raise ChannelError("Slack gives an address that is not encrypted", "look at `api`")
    address("http" + url.removeprefix("ws").partition("?")[0], "")
    return url


def _read(frame: Any) -> dict[str, Any]:
    try:
        told = json.loads(frame)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise ChannelError("Slack's frame has another form", "look at `api`")
    return told
