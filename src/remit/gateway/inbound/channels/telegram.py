"""Telegram, by its Bot API: long polling, or a webhook if a secret is set.

(1) the secret given to `setWebhook` comes in a header and is compared in constant time; Telegram signs nothing
(2) an update is converted to an event; offsets in a text count UTF-16 units

In polling, an update is confirmed by requesting the ones after it, which happens only after it is stored. The gateway
stores no position: Telegram repeats unconfirmed updates, and stored ones are ignored. A stored position could be wrong,
since Telegram may restart its update numbers at random after a week without updates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.interface import ChannelError, Incoming, Received, Reply, Sending, SendResult
from remit.gateway.inbound.channels.parsing import (
    Refusal,
    RefusedError,
    check_body,
    check_token,
    header_of,
    items_in,
    judged,
    made,
    name_in,
    number_in,
    part,
    read_json,
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
    token,
)
from remit.gateway.inbound.channels.quarantine import MediaError
from remit.gateway.inbound.channels.texts import LONGEST, units
from remit.gateway.inbound.events import Attachment, Event, What
from remit.gateway.inbound.routing import ANY, ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import ChannelSettings, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.connections import ChannelInbox
    from remit.gateway.inbound.channels.interface import Connection
    from remit.gateway.inbound.delivery import Piece, Route


_CHATS = {"private": ConversationKind.DIRECT, "group": ConversationKind.GROUP, "supergroup": ConversationKind.GROUP}
_BROUGHT = ("forward_origin", "forward_date", "via_bot")  # forwarded text: no command and no mention
_FILES = {
    "document": "application/octet-stream", "voice": "audio/ogg", "audio": "audio/mpeg", "video": "video/mp4",
    "video_note": "video/mp4",
}  # attachments, with the type if none is stated  # fmt: skip
_ANONYMOUS = ("1087968824", "136817688", "777000")  # accounts that Telegram uses for messages without a personal author


class Ourselves(NamedTuple):
    """Our own account: the configured name, our id, and our user name if known."""

    account: str
    number: str
    user: str


def event_of(channel: str, ourselves: Ourselves, told: dict[str, Any]) -> Event:
    """Return the event; RefusedError for kinds that are ignored, such as channel posts, polls and joins."""
    name = number_in(told.get("update_id"))
    if "message" in told or "edited_message" in told:
        edited = "message" not in told
        return _message(channel, ourselves, told["edited_message" if edited else "message"], name, edited=edited)
    if "message_reaction" in told:
        return _reaction(channel, ourselves, told["message_reaction"], name)
    if "callback_query" in told:
        return _button(channel, ourselves, told["callback_query"], name)
    raise RefusedError(Refusal.KIND)


def pressed(told: dict[str, Any]) -> str:
    """Return the id of a pressed button, or an empty string."""
    return text_in(part(told, "callback_query", "id"))[:100]


def _message(channel: str, ourselves: Ourselves, told: Any, name: str, *, edited: bool) -> Event:
    caption = part(told, "text") is None
    text = text_in(part(told, "caption" if caption else "text"))
    files = tuple(_files(told))
    if not text and not files:
        raise RefusedError(Refusal.KIND)  # someone joined, a new title: no message
    marks = tuple(_marks(text, items_in(part(told, "caption_entities" if caption else "entities"))))
    place = _place(channel, ourselves, told, "from")
    brought = any(part(told, name) is not None for name in _BROUGHT)
    return made(
        place,
        What.EDITED if edited else What.SAID,
        f"forwarded: {text}" if brought else _ours(text, marks, ourselves, place.kind),
        number_in(part(told, "message_id")),
        str(part(told, "edit_date") or ""),
        event=name,
        name=called(told, "from"),
        files=files,
        mentioned=(_named(marks, ourselves) and not brought) or _answers_us(told, ourselves),
        machine=_machine(told, "from", "sender_chat"),
    )


def called(told: Any, by: str) -> str:
    """Return the speaker's display name."""
    speaker = part(told, by)
    return " ".join(filter(None, (text_in(part(speaker, name)) for name in ("first_name", "last_name"))))


def _files(told: Any) -> Iterator[Attachment]:
    """Yield the attachments of a message. Of a photo's sizes the last is the largest."""
    pictures = items_in(part(told, "photo"))
    for kind, one in (("photo", pictures[-1] if pictures else None), *((kind, part(told, kind)) for kind in _FILES)):
        source = part(one, "file_id")
        if source is None:
            continue
        size = part(one, "file_size")
        yield Attachment(
            text_in(part(one, "file_name")) or kind,
            text_in(part(one, "mime_type")) or _FILES.get(kind, "image/jpeg"),
            int(number_in(size)) if size is not None else 0,
            name_in(source, "[A-Za-z0-9_-]{1,300}"),
        )


def _reaction(channel: str, ourselves: Ourselves, told: Any, name: str) -> Event:
    """Return the event of the current reactions; without text if they were removed."""
    shown = [text_in(part(one, "emoji") or part(one, "type")) for one in items_in(part(told, "new_reaction"))]
    return made(
        _place(channel, ourselves, told, "user"),
        What.REACTED,
        " ".join(shown),
        number_in(part(told, "message_id")),
        number_in(part(told, "date")),
        event=name,
        name=called(told, "user"),
        machine=_machine(told, "user", "actor_chat"),
    )


def _button(channel: str, ourselves: Ourselves, told: Any, name: str) -> Event:
    """Return the event of a button. It is never a command: the user who pressed it did not write it."""
    query = text_in(part(told, "id"))
    if not query or part(told, "message") is None:
        raise RefusedError(Refusal.KIND)
    message = told["message"] | {"from": told.get("from")} if isinstance(told["message"], dict) else None
    return made(
        _place(channel, ourselves, message, "from"),
        What.SAID,
        f"pressed: {text_in(part(told, 'data'))}",
        f"button/{query[:100]}",
        event=name,
        name=called(told, "from"),
        mentioned=True,
        machine=_machine(told, "from", ""),
    )


def _place(channel: str, ourselves: Ourselves, told: Any, by: str) -> ChatAddress:
    kind = _CHATS.get(text_in(part(told, "chat", "type")))
    if kind is None:
        raise RefusedError(Refusal.KIND)
    chat = number_in(part(told, "chat", "id"))
    speaker = part(told, by, "id")
    peer = chat if speaker is None else number_in(speaker)  # a group that posts as itself is not a person: see _machine
    topic = number_in(part(told, "message_thread_id")) if part(told, "is_topic_message") is True else ""
    return ChatAddress(channel, ourselves.account, kind, peer, chat if kind is ConversationKind.GROUP else "", topic)


def _machine(told: Any, by: str, instead: str) -> bool:
    """Return whether the sender is a bot, group or channel: no particular person is behind it."""
    speaker = part(told, by)
    known = part(speaker, "is_bot") is False and str(part(speaker, "id")) not in _ANONYMOUS
    return not known or (bool(instead) and part(told, instead) is not None)


def _marks(text: str, told: list[Any]) -> Iterator[tuple[str, int, str, str]]:
    """Yield Telegram's entities: kind, offset, text and user."""
    units = text.encode("utf-16-le")
    for one in told:
        start, length = (int(number_in(part(one, name))) for name in ("offset", "length"))
        if start < 0 or length < 0:
            raise RefusedError(Refusal.FORM)
        word = units[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")
        user = part(one, "user", "id")
        yield text_in(part(one, "type")), start, word, "" if user is None else number_in(user)


def _named(marks: tuple[tuple[str, int, str, str], ...], ourselves: Ourselves) -> bool:
    at = f"@{ourselves.user}".lower()
    for kind, _, word, user in marks:
        if kind == "text_mention" and user and user == ourselves.number:
            return True
        if ourselves.user and kind == "mention" and word.lower() == at:
            return True
        if ourselves.user and kind == "bot_command" and word.lower().endswith(at):
            return True
    return False


def _answers_us(told: Any, ourselves: Ourselves) -> bool:
    """Return whether it answers a message of ours.

    In a topic every message formally answers its creation, which does not count.
    """
    before = part(told, "reply_to_message")
    answered = str(part(before, "from", "id")) == ourselves.number and bool(ourselves.number)
    return answered and part(before, "forum_topic_created") is None


def _ours(text: str, marks: tuple[tuple[str, int, str, str], ...], ourselves: Ourselves, kind: ConversationKind) -> str:
    """Return the text without a leading mention of us. `/stop@other` is a command for another bot."""
    at = f"@{ourselves.user}".lower() if ourselves.user else ""
    first = next((one for one in marks if one[1] == 0), ("", 0, "", ""))
    if first[0] == "mention" and at and first[2].lower() == at:
        return text[len(first[2]) :].strip()
    if first[0] == "bot_command" and "@" in first[2]:
        if at and first[2].lower().endswith(at):
            return first[2][: -len(at)] + text[len(first[2]) :]
        if kind is ConversationKind.GROUP:
            raise RefusedError(Refusal.OTHERS)
    return text


KINDS = ("message", "edited_message", "callback_query", "message_reaction")
WAIT, MORE = 25, 15  # seconds that Telegram holds a request open; further seconds for its answer
MOST = 8 * 1024 * 1024  # bytes of an answer
_BATCH = 100
PRIVACY = (
    "the bot does not see what is said in groups without its name: @BotFather, /setprivacy, Disable, then add it again"
)


API = "https://api.telegram.org"
_TOKEN = re.compile(r"([0-9]{1,20}):[A-Za-z0-9_-]{1,200}")
_CHAT, _NUMBER = re.compile(r"-?[0-9]{1,16}"), re.compile("[0-9]{1,16}")
_FILE = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")


class Telegram(PlatformChannel):
    """One Telegram bot of the operator."""

    def __init__(self, name: str, settings: ChannelSettings, client: AsyncClient) -> None:
        found = _TOKEN.fullmatch(token(settings.token))
        if settings.token and not found:
            raise UsageError(
                f"the token of `{name}` is none of Telegram's", "write it as BotFather gave it: NUMBER:LETTERS"
            )
        number = found[1] if found else ""
        account, user = (
            (number, "") if settings.account == ANY else (settings.account, settings.account.removeprefix("@"))
        )
        self.ourselves = Ourselves(account, number, user)
        super().__init__(name, settings, client, address(settings.api, API))

    def connection(self) -> Connection | None:
        """Return a connection if no secret is set: then Telegram cannot call us."""
        return None if self.settings.secret else self._poll

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

    async def _poll(self, inbox: ChannelInbox) -> None:
        """Poll until an error occurs."""
        me = await self._ask("getMe", {})
        self.ourselves = self._named(me)
        unnamed = bool(self.settings.gate.unnamed) and part(me, "can_read_all_group_messages") is not True
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
                received = judged(self.update, json.dumps(update).encode())
                await inbox.take(received)
                await self._reply(received.reply.body)
                offset = max(offset, number + 1)

    def _named(self, me: Any) -> Ourselves:
        """Return our account with the user name that Telegram reports."""
        known, wanted = self.ourselves, self.settings.account
        user = part(me, "username")
        if not isinstance(user, str):
            raise ChannelError("Telegram does not say who we are", "look at `api`")
        if wanted not in (ANY, known.number) and wanted.removeprefix("@").lower() != user.lower():
            remedy = "set `account` to that name, or give the other bot's token"
            raise ChannelError(f"the token is that of `@{user}`, and `account` says `{wanted}`", remedy, operator=True)
        return known._replace(user=user)

    async def _ask(self, method: str, told: dict[str, Any]) -> Any:
        """Return the result of a method; ChannelError with a remedy if it fails."""
        url, seconds = self.url(method), float(told.get("timeout", 0) + MORE)
        answer = await ask(self.client, url, json.dumps(told).encode(), {}, seconds=seconds, most=MOST)
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
                    "a webhook is set for this bot, so messages cannot be fetched", remedy, operator=True
                )
            case 409:
                raise ChannelError("another program asks for the updates of this bot", "stop it: one bot, one gateway")
            case 429:
                raise ChannelError("Telegram asks for a pause", pause=pause_of(answer))
        raise ChannelError(f"Telegram answers {answer.status}", "it is tried again")

    async def _reply(self, body: bytes) -> None:
        """Call the method that a webhook would have answered with."""
        if body:
            told = json.loads(body)
            with suppress(httpx.HTTPError, OSError, TimeoutError):
                await ask(self.client, self.url(told.pop("method")), json.dumps(told).encode(), {})


def _json(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode()


def _judge(answer: PlatformAnswer) -> Sending:
    told = answer.json()
    return (
        Sending(SendResult.SENT, 0, str(part(told, "result", "message_id") or ""))
        if told.get("ok") is True
        else UNKNOWN
    )
