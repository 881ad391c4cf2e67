"""Slack, by Socket Mode (a WebSocket that the gateway opens), or by its Events API if a signing secret is set.

(1) signature  `v0=` HMAC-SHA256 of `v0:timestamp:body` with the signing secret, not older than five minutes
(2) a challenge is answered, since it is verified to come from Slack
(3) an event is converted

In Socket Mode each envelope is acknowledged after its event is stored; Slack repeats unacknowledged ones. A message that
mentions us arrives twice if the application subscribes to both `message` and `app_mention`: with two event ids, but as
one message. So a message is remembered by its own timestamp, and everything else by Slack's event id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import websockets

from remit.gateway.inbound.channels.interface import ChannelError, Incoming, Received, Reply, Sending, SendResult
from remit.gateway.inbound.channels.parsing import (
    Refusal,
    RefusedError,
    check_body,
    check_mac,
    header_of,
    items_in,
    judged,
    made,
    name_in,
    number_in,
    ours,
    part,
    read_json,
    stamp_of,
    text_in,
)
from remit.gateway.inbound.channels.platform_requests import (
    FAILED,
    UNKNOWN,
    PlatformAnswer,
    PlatformChannel,
    address,
    ask,
    load,
    pause_of,
    post,
    same_place,
    token,
)
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.events import Attachment, Event, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import ChannelSettings, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.connections import ChannelInbox
    from remit.gateway.inbound.channels.interface import Connection
    from remit.gateway.inbound.delivery import Piece


_ID, _TIME, _REACTION = "[A-Z0-9]{1,32}", r"[0-9]{1,16}\.[0-9]{1,10}", r"[\w+'-]{1,100}(::skin-tone-[2-6])?"
_EVENT = "[A-Za-z0-9]{1,64}"
_SAID = (None, "file_share", "thread_broadcast", "me_message", "bot_message")
_SLACKBOT = "USLACKBOT"


def event_of(channel: str, account: str, told: dict[str, Any]) -> Event:
    """Return the event; RefusedError for kinds that are ignored."""
    happened, kind, subtype = told.get("event"), part(told, "event", "type"), part(told, "event", "subtype")
    place = ChatAddress(channel, ours(account, name_in(told.get("team_id"), _ID)), ConversationKind.GROUP, "")
    name, bots = name_in(told.get("event_id"), _EVENT), _bots(told)
    if kind == "reaction_added":
        return _reacted(place, happened, name)
    if kind == "app_mention" and subtype in _SAID and part(happened, "edited") is None:
        return _said(place, happened, name, bots, named=True)
    if kind == "message" and subtype in _SAID and not part(happened, "hidden"):
        return _said(place, happened, name, bots, named=False)
    if kind == "message" and subtype == "message_deleted":
        return _deleted(place, happened, name, bots, name_in(part(happened, "deleted_ts"), _TIME))
    if kind == "message" and subtype == "message_changed":
        if part(happened, "message", "subtype") == "tombstone":  # deleted, but its replies stay
            return _deleted(place, happened, name, bots, name_in(part(happened, "message", "ts"), _TIME))
        if part(happened, "message", "edited") is not None:  # otherwise Slack itself changed it, for a link preview
            return _edited(place, happened, name, bots)
    raise RefusedError(Refusal.KIND)


def _said(place: ChatAddress, told: Any, name: str, bots: frozenset[str], *, named: bool) -> Event:
    files = tuple(_files(told))
    stamp, text = name_in(told.get("ts"), _TIME), _words(told.get("text"), files)
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(told, stamp))
    return made(
        place._replace(peer=_author(told)),
        What.SAID,
        _plain(text, bots),
        stamp,
        event=f"said/{place.room or back}/{stamp}",
        trace=name,
        mentioned=named or _named(text, bots),
        machine=_machine(told, bots),
        back=back,
        name=text_in(part(told, "user_profile", "display_name")),
        files=files,
    )


def _edited(place: ChatAddress, told: Any, name: str, bots: frozenset[str]) -> Event:
    """Return the event of an edit, by its editor. It has no effect unless the editor is the author."""
    message = told["message"]
    stamp, text = name_in(message.get("ts"), _TIME), _words(message.get("text"))
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(message, stamp))
    return made(
        place._replace(peer=name_in(part(message, "edited", "user"), _ID)),
        What.EDITED,
        _plain(text, bots),
        stamp,
        event=name,
        mentioned=_named(text, bots),
        machine=_machine(message, bots),
        back=back,
    )


def _deleted(place: ChatAddress, told: Any, name: str, bots: frozenset[str], stamp: str) -> Event:
    """Return the event of a deletion by the author. Slack does not say who deleted it, and decides who may."""
    before = told.get("previous_message")
    if part(before, "user") is None and part(before, "bot_id") is None:
        raise RefusedError(Refusal.AUTHOR)
    place, back = _where(place, told.get("channel"), told.get("channel_type"), _thread(before, stamp))
    return made(
        place._replace(peer=_author(before)),
        What.DELETED,
        "",
        stamp,
        event=name,
        mentioned=_named(text_in(before.get("text")), bots),
        machine=_machine(before, bots),
        back=back,
    )


def _reacted(place: ChatAddress, told: Any, name: str) -> Event:
    if part(told, "item", "type") != "message":
        raise RefusedError(Refusal.KIND)
    place, back = _where(place, part(told, "item", "channel"), None, "")
    return made(
        place._replace(peer=name_in(told.get("user"), _ID)),
        What.REACTED,
        f":{name_in(told.get('reaction'), _REACTION)}:",
        name_in(part(told, "item", "ts"), _TIME),
        event=name,
        machine=told.get("user") == _SLACKBOT,
        back=back,
    )


def _where(place: ChatAddress, room: Any, kind: Any, thread: str) -> tuple[ChatAddress, str]:
    """Return the place, and the conversation for the answer to a direct message.

    Some events omit the conversation's type.
    """
    found = name_in(room, _ID)
    direct = kind == "im" if kind is not None else found.startswith("D")
    if direct:
        return place._replace(kind=ConversationKind.DIRECT, thread=thread), found
    return place._replace(kind=ConversationKind.GROUP, room=found, thread=thread), ""


def _words(value: Any, files: tuple[Attachment, ...] = ()) -> str:
    text = text_in(value)
    if not text and not files:
        raise RefusedError(Refusal.KIND)
    return text


def _files(told: Any) -> Iterator[Attachment]:
    for one in items_in(part(told, "files")):
        source, size = part(one, "url_private_download"), part(one, "size")
        if isinstance(source, str):  # a file of another workspace, or a deleted one, has none
            kind, known = text_in(part(one, "mimetype")), int(number_in(size)) if size is not None else 0
            yield Attachment(text_in(part(one, "name")), kind or "application/octet-stream", known, source[:2000])


def _thread(told: Any, stamp: str) -> str:
    """Return the thread of a message. The first message of a thread is not in it."""
    thread = part(told, "thread_ts")
    return "" if thread in (None, stamp) else name_in(thread, _TIME)


def _author(told: Any) -> str:
    return name_in(told.get("user") or told.get("bot_id"), _ID)


def _machine(told: Any, bots: frozenset[str]) -> bool:
    program = told.get("bot_id") is not None or told.get("subtype") == "bot_message"
    return program or told.get("user") in (*bots, _SLACKBOT)


def _bots(told: dict[str, Any]) -> frozenset[str]:
    """Return our user ids, from Slack's authorizations rather than from the text."""
    return frozenset(
        name_in(part(one, "user_id"), _ID)
        for one in items_in(told.get("authorizations"))
        if part(one, "is_bot") is True
    )


def _named(text: str, bots: frozenset[str]) -> bool:
    """Return whether the text mentions us. Slack escapes typed text as `&lt;`, so a `<@` is a real mention."""
    return any(f"<@{bot}>" in text or f"<@{bot}|" in text for bot in bots)


def _plain(text: str, bots: frozenset[str]) -> str:
    """Return the text as typed, without a leading mention of us."""
    for bot in bots:
        text = text.removeprefix(f"<@{bot}>")
    return text.strip().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


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


API = "https://slack.com/api"
FILES = ("files.slack.com",)
# after these errors it may have been sent
_OPEN = ("fatal_error", "internal_error", "request_timeout", "service_unavailable")


class Slack(PlatformChannel):
    """One Slack application of the operator."""

    def __init__(self, name: str, settings: ChannelSettings, client: AsyncClient) -> None:
        token(settings.token)
        token(settings.app_token)
        super().__init__(name, settings, client, address(settings.api, API))

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

    def connection(self) -> Connection | None:
        """Return a connection if no signing secret is set: then Slack cannot call us."""
        return None if self.settings.secret else self._serve

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Download a file from Slack's own storage, which needs the token; no other host gets it."""
        if not same_place(file.source, self.api, FILES):
            raise MediaError("it is outside of Slack")
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

    async def _serve(self, inbox: ChannelInbox) -> None:
        """Receive events by Socket Mode until Slack requests a new connection, every few hours."""
        await self._check_bot()
        told = await self._ask("apps.connections.open", self.settings.app_token)
        url = part(told, "url")
        async with websockets.connect(_socket(url, self.api), max_size=MOST, proxy=None) as socket:
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

    async def _envelope(self, inbox: ChannelInbox, socket: Any, told: dict[str, Any]) -> None:
        name = part(told, "envelope_id")
        if not isinstance(name, str):
            return
        await inbox.take(judged(self._enveloped, told))
        await socket.send(json.dumps({"envelope_id": name}))

    def _enveloped(self, told: dict[str, Any]) -> Received:
        name_in(told["envelope_id"], _ENVELOPE)
        if told.get("type") != "events_api":
            raise RefusedError(Refusal.KIND)
        return self.event(read_json(json.dumps(told.get("payload")).encode()))

    async def _check_bot(self) -> None:
        """Check the bot token before the channel is reported as working."""
        told = await self._ask("auth.test", self.settings.token)
        wanted, found = self.settings.account, part(told, "team_id")
        if wanted not in ("*", found):
            remedy = "set `account` to that id, or give the token of the other workspace"
            raise ChannelError(
                f"the token is for the workspace `{found}`, and `account` says `{wanted}`", remedy, operator=True
            )

    async def _ask(self, method: str, token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        answer = await ask(self.client, f"{self.api}/{method}", b"{}", headers)
        told = answer.json()
        if answer.status == 429 or told.get("error") == "ratelimited":
            raise ChannelError("Slack asks for a pause", pause=pause_of(answer))
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


def _judge(answer: PlatformAnswer) -> Sending:
    told = answer.json()
    if told.get("ok") is True:
        stamp = told.get("ts")
        return Sending(SendResult.SENT, 0, stamp if isinstance(stamp, str) else "")
    if told.get("ok") is not False or told.get("error") in _OPEN:
        return UNKNOWN
    return Sending(SendResult.FAILED, pause_of(answer))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
