"""Discord, over its WebSocket gateway, or its interactions endpoint if a public key is set.

Endpoint:
(1) signature  Ed25519 of `timestamp body` with the application's public key, not older than five minutes
(2) a ping is answered, since it is verified to come from Discord
(3) a command or a button becomes an event; Discord gets a deferred response

WebSocket; a session is resumed where it stopped, also after a restart:
(4) Hello, then Resume with the stored position, or Identify
(5) heartbeats at the interval of Hello; one that is not acknowledged ends the connection
(6) an event is stored before its number: a resumed session repeats what follows that number
(7) if a session cannot be resumed, missed messages are fetched from each room in which the bot was addressed before

A webhook's message comes from a program, whatever name it shows. If the operator's settings name the application that
made the webhook, the message counts for the person whom the connection found behind it; otherwise for no person.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import websockets

from remit.gateway.inbound.channels.interface import ChannelError, Incoming, Received, Reply, Sending, SendResult
from remit.gateway.inbound.channels.parsing import (
    MOST_BYTES,
    Refusal,
    RefusedError,
    check_body,
    check_ed25519,
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
from remit.gateway.inbound.channels.texts import LONGEST, plain_links, units
from remit.gateway.inbound.events import Attachment, Event, EventResult, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import ChannelSettings, Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.connections import ChannelInbox
    from remit.gateway.inbound.channels.interface import Connection
    from remit.gateway.inbound.delivery import Piece, Route
    from remit.gateway.inbound.intake import Fate


COMMAND, COMPONENT = 2, 3
BACK = r"interaction:([0-9]{1,20}):([A-Za-z0-9_.=-]{1,1000})"  # the answer needs the interaction's own token
_ID = "[0-9]{1,20}"
THREADS = (10, 11, 12)
_DIRECT_CHANNEL, _BOT_DM = 1, 1  # type of a channel; context of an interaction
_SAID_TYPES = (0, 19, 20, 23)  # default, reply, and output of commands
_DEPTH = 3  # a command group, a command in it, its values


class ConnectionFacts(NamedTuple):
    """Further facts known to the connection.

    Our own ids, the channel of each thread, authors of messages, and the person for whom an application wrote a
    message.
    """

    application: str
    bot: str
    parents: Mapping[str, str] = MappingProxyType({})
    authors: Mapping[str, str] = MappingProxyType({})
    behind: Mapping[str, str] = MappingProxyType({})


def interaction_of(channel: str, account: str, told: dict[str, Any]) -> Event:
    """Return the event of a command or button; RefusedError for other interactions.

    It always counts as addressed to us.
    """
    application = ours(account, name_in(told.get("application_id"), _ID))
    name = name_in(told.get("id"), _ID)
    user = part(told, "member", "user") or told.get("user")
    place = _place_of_interaction(
        ChatAddress(channel, application, ConversationKind.GROUP, name_in(part(user, "id"), _ID)), told
    )
    back = f"interaction:{application}:{name_in(told.get('token'), '[A-Za-z0-9_.=-]{1,1000}')}"
    return made(
        place,
        What.SAID,
        _command(told) if told["type"] == COMMAND else _button(told),
        name,
        event=name,
        mentioned=True,
        roles=_roles(told),
        machine=part(user, "bot") is True,
        back=back,
        name=_called(user),
    )


def dispatch_of(channel: str, settings: ChannelSettings, frame: dict[str, Any], known: ConnectionFacts) -> Event:
    """Return the event of a gateway frame about a message; RefusedError for others."""
    place = ChatAddress(channel, ours(settings.account, known.application), ConversationKind.GROUP, "")
    told = frame.get("d")
    match frame.get("t"):
        case "MESSAGE_CREATE":
            return _message(place, settings, told, known, edited=False)
        case "MESSAGE_UPDATE":
            return _message(place, settings, told, known, edited=True)
        case "MESSAGE_DELETE":
            return _deleted(place, told, known)
        case "MESSAGE_REACTION_ADD":
            return _reacted(place, told, known)
    raise RefusedError(Refusal.KIND)


def _voice(told: Any) -> str:
    """Return the id of the application that wrote a message, or an empty string."""
    found = part(told, "application_id")
    return found if isinstance(found, str) else ""


def _message(
    place: ChatAddress, settings: ChannelSettings, told: Any, known: ConnectionFacts, *, edited: bool
) -> Event:
    when = part(told, "edited_timestamp")
    if part(told, "type") not in _SAID_TYPES or (
        edited and when is None
    ):  # a link preview was added: nobody wrote anything
        raise RefusedError(Refusal.KIND)
    name, text = name_in(part(told, "id"), _ID), text_in(part(told, "content"))
    files = tuple(_files(told))
    if not text and not files:
        raise RefusedError(Refusal.KIND)
    place, back = _room(place, told, known)
    stamp = name_in(when, r"[0-9T:.+Z-]{1,40}") if edited else ""
    webhook = part(told, "webhook_id") is not None
    program = webhook or part(told, "author", "bot") is True
    return made(
        place._replace(peer=name_in(part(told, "author", "id"), _ID)),
        What.EDITED if edited else What.SAID,
        _without_us(text, known.bot),
        name,
        stamp,
        event=f"edited/{name}/{stamp}" if edited else f"said/{name}",
        mentioned=any(part(one, "id") == known.bot for one in items_in(part(told, "mentions"))),
        roles=_roles(told),
        machine=program,
        behind=known.behind.get(name, "") if webhook and _voice(told) in settings.voices else "",
        back=back,
        name=_called(part(told, "author")),
        files=files,
    )


def _called(user: Any) -> str:
    return text_in(part(user, "global_name")) or text_in(part(user, "username"))


def _files(told: Any) -> Iterator[Attachment]:
    for one in items_in(part(told, "attachments")):
        source, size = text_in(part(one, "url"))[:2000], part(one, "size")
        kind = text_in(part(one, "content_type")) or "application/octet-stream"
        yield Attachment(text_in(part(one, "filename")), kind, int(number_in(size)) if size is not None else 0, source)


def _deleted(place: ChatAddress, told: Any, known: ConnectionFacts) -> Event:
    """Return the event of a deletion. Discord does not name the author, so it must be known."""
    name = name_in(part(told, "id"), _ID)
    if name not in known.authors:
        raise RefusedError(Refusal.AUTHOR)
    place, back = _room(place, told, known)
    return made(
        place._replace(peer=known.authors[name]), What.DELETED, "", name, event=f"deleted/{name}", back=back
    )  # fmt: skip


def _reacted(place: ChatAddress, told: Any, known: ConnectionFacts) -> Event:
    name, peer = name_in(part(told, "message_id"), _ID), name_in(part(told, "user_id"), _ID)
    shown = text_in(part(told, "emoji", "name") or part(told, "emoji", "id"))
    place, back = _room(place, told, known)
    return made(
        place._replace(peer=peer),
        What.REACTED,
        shown,
        name,
        event=f"reacted/{name}/{peer}/{shown}"[:300],
        roles=_roles(told),
        machine=peer == known.bot or part(told, "member", "user", "bot") is True,
        back=back,
    )


def _place_of_interaction(place: ChatAddress, told: dict[str, Any]) -> ChatAddress:
    """Return the place of an interaction.

    A thread belongs to its channel; a conversation of two other users counts as a group.
    """
    room = name_in(part(told, "channel", "id") or told.get("channel_id"), _ID)
    kind, context = part(told, "channel", "type"), told.get("context")
    alone = context == _BOT_DM or (context is None and kind == _DIRECT_CHANNEL)
    if told.get("guild_id") is None and alone:
        return place._replace(kind=ConversationKind.DIRECT)
    if kind in THREADS:
        return place._replace(room=name_in(part(told, "channel", "parent_id"), _ID), thread=room)
    return place._replace(room=room)


def _room(place: ChatAddress, told: Any, known: ConnectionFacts) -> tuple[ChatAddress, str]:
    """Return the place, and the reply address of a direct message."""
    room = name_in(part(told, "channel_id"), _ID)
    if part(told, "guild_id") is None:
        return place._replace(kind=ConversationKind.DIRECT), room
    parent = known.parents.get(room)
    return place._replace(room=parent or room, thread=room if parent else ""), ""


def _roles(told: Any) -> frozenset[str]:
    return frozenset(name_in(one, _ID) for one in items_in(part(told, "member", "roles")))


def _command(told: dict[str, Any]) -> str:
    """Return a command as typed text: its name and its values in order."""
    data = told.get("data")
    target = part(data, "target_id")
    words = [
        text_in(part(data, "name")),
        *_values(part(data, "options"), _DEPTH),
        *([text_in(target)] if target else []),
    ]
    if not words[0]:
        raise RefusedError(Refusal.FORM)
    return "/" + " ".join(words)


def _values(options: Any, left: int) -> Iterator[str]:
    if not left:
        raise RefusedError(Refusal.FORM)
    for one in items_in(options):
        value = part(one, "value")
        if isinstance(value, str | int):
            yield str(value).lower() if isinstance(value, bool) else str(value)
        else:
            yield text_in(part(one, "name"))
            yield from _values(part(one, "options"), left - 1)


def _button(told: dict[str, Any]) -> str:
    """Return a button as text, never as a command: the user who pressed it did not write it."""
    data = told.get("data")
    values = [text_in(one) for one in items_in(part(data, "values"))]
    return "pressed: " + " ".join([text_in(part(data, "custom_id")), *values])


def _without_us(text: str, bot: str) -> str:
    return text.removeprefix(f"<@{bot}>").removeprefix(f"<@!{bot}>").strip()


_GUILDS, _MESSAGES, _REACTIONS, _DIRECT, _DIRECT_REACTIONS, _CONTENT = 1, 1 << 9, 1 << 10, 1 << 12, 1 << 13, 1 << 15
INTENTS = _GUILDS | _MESSAGES | _REACTIONS | _DIRECT | _DIRECT_REACTIONS | _CONTENT
DISPATCH, BEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, BEAT_HEARD = 0, 1, 2, 6, 7, 9, 10, 11
LEFT = 4000  # our close code: after 1000 Discord would forget the session
MOST = 4 * 1024 * 1024  # bytes of a frame
MOST_ROOMS, MOST_KNOWN, _PAGE, _PAGES = 500, 5000, 100, 10
HEARD = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_REACTION_ADD", "INTERACTION_CREATE"})
_REMEDIES: Mapping[int, tuple[str, str]] = {
    4004: ("Discord does not know the token", "reset it under Bot in the developer portal, and write it into the file under `token_file`"),
    4011: ("the bot is in so many servers that Discord requires several connections", "take it out of some"),
    4013: ("Discord does not know the requested intents", "use a newer version"),
    4014: ("the bot may not read messages", "turn on MESSAGE CONTENT INTENT under Bot in the developer portal"),
}  # fmt: skip
_FORGOTTEN = (4003, 4007, 4009)  # close codes after which the session is over


class Position(NamedTuple):
    """The stored position: the session, the number of its last stored event, and the last message of each room."""

    session: str = ""
    url: str = ""
    number: int = 0
    application: str = ""
    bot: str = ""
    behind: bool = False  # a new session has begun, and missed messages were not yet fetched
    rooms: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """Return the position as stored text."""
        return json.dumps(self)


def read_position(text: str) -> Position:
    """Return the stored position; malformed text gives an empty one."""
    try:
        *plain, rooms = json.loads(text)
        return Position(*plain)._replace(rooms=tuple((str(room), str(last)) for room, last in rooms))
    except (ValueError, TypeError):
        return Position()


class _Session:
    """One open connection."""

    def __init__(self, channel: Discord, inbox: ChannelInbox, socket: Any, place: Position) -> None:
        self._channel, self._inbox, self._socket, self._place = channel, inbox, socket, place
        self._number: int | None = place.number if place.session else None
        self._rooms = OrderedDict(place.rooms)
        self._parents: OrderedDict[str, str] = OrderedDict()  # of threads; empty for a channel
        self._authors: OrderedDict[str, str] = OrderedDict()  # of messages
        self._answered = True

    async def run(self) -> None:
        hello = await self._read()
        interval = part(hello, "d", "heartbeat_interval")
        if part(hello, "op") != HELLO or not isinstance(interval, int) or interval < 1:
            raise ChannelError("Discord does not say hello", "look at `api`")
        await self._begin()
        beating = asyncio.create_task(self._beat(interval / 1000))
        try:
            while await self._frame(await self._read()):
                pass
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)

    async def _read(self) -> dict[str, Any]:
        told = json.loads(await self._socket.recv())
        if not isinstance(told, dict):
            raise ChannelError("Discord's frame has another form", "look at `api`")
        return told

    async def _tell(self, number: int, told: Any) -> None:
        await self._socket.send(json.dumps({"op": number, "d": told}))

    async def _begin(self) -> None:  # (4)
        token = self._channel.settings.token
        if self._place.session:
            await self._tell(RESUME, {"token": token, "session_id": self._place.session, "seq": self._number})
        else:
            ours = {"os": "linux", "browser": "remit", "device": "remit"}
            await self._tell(IDENTIFY, {"token": token, "intents": INTENTS, "properties": ours})

    async def _beat(self, seconds: float) -> None:  # (5)
        await asyncio.sleep(seconds * random.random())  # noqa: S311  as Discord asks for
        while True:
            if not self._answered:
                await self._socket.close(LEFT)
                return
            self._answered = False
            await self._tell(BEAT, self._number)
            await asyncio.sleep(seconds)

    async def _frame(self, told: dict[str, Any]) -> bool:
        """Handle a frame; return whether the connection continues."""
        match told.get("op"):
            case 0:
                await self._dispatch(told)
            case 1:
                await self._tell(BEAT, self._number)
            case 7:
                return False
            case 9:
                if told.get("d") is not True:
                    await self._inbox.move(
                        self._place._replace(session="", url="", rooms=tuple(self._rooms.items())).text()
                    )
                return False
            case 11:
                self._answered = True
        return True

    async def _dispatch(self, told: dict[str, Any]) -> None:
        number, kind, what = told.get("s"), told.get("t"), told.get("d")
        if kind == "READY":
            self._number = number if isinstance(number, int) else None
            await self._ready(what)
        elif kind == "RESUMED":
            self._inbox.connected()
            await self._catch_up()
        elif kind in HEARD:
            await self._hear(str(kind), told)
        if isinstance(number, int):
            self._number = number
        if kind in HEARD or kind == "READY":
            await self._keep()  # (6)

    async def _ready(self, what: Any) -> None:
        session, url = part(what, "session_id"), part(what, "resume_gateway_url")
        application, bot = part(what, "application", "id"), part(what, "user", "id")
        if not all(isinstance(one, str) for one in (session, url, application, bot)):
            raise ChannelError("Discord does not say who we are", "look at `api`")
        wanted = self._channel.settings.account
        if wanted not in ("*", application):
            remedy = "set `account` to that id, or give the other application's token"
            raise ChannelError(
                f"the token is that of the application `{application}`, and `account` says `{wanted}`",
                remedy,
                operator=True,
            )
        self._place = Position(session, url, 0, application, bot, behind=bool(self._rooms))
        await self._keep()  # before anything else can fail: resuming is unlimited, new sessions are limited
        self._inbox.connected()
        await self._catch_up()

    async def _catch_up(self) -> None:  # (7)
        if self._place.behind:
            for room, last in tuple(self._rooms.items()):
                await self._missed(room, last)
            self._place = self._place._replace(behind=False)

    async def _keep(self) -> None:
        self._place = self._place._replace(number=self._number or 0, rooms=tuple(self._rooms.items()))
        await self._inbox.move(self._place.text())

    async def _hear(self, kind: str, told: dict[str, Any]) -> Sequence[Fate]:
        what = told.get("d")
        room = part(what, "channel_id")
        if part(what, "guild_id") is not None and isinstance(room, str) and kind != "INTERACTION_CREATE":
            await self._find_parent(room)
        known = ConnectionFacts(self._place.application, self._place.bot, self._threads(), self._authors)
        fates = await self._inbox.take(self._channel.dispatched(json.dumps(told).encode(), known))
        if kind == "INTERACTION_CREATE" and fates:
            await self._channel.acknowledge(what)
        name, author = part(what, "id"), part(what, "author", "id")
        if kind == "MESSAGE_CREATE" and isinstance(name, str) and isinstance(room, str):
            _remember(self._authors, name, str(author), MOST_KNOWN)
            if room in self._rooms or any(one.heard is not EventResult.DROPPED for one in fates):
                _remember(self._rooms, room, name, MOST_ROOMS)
        return fates

    def _threads(self) -> Mapping[str, str]:
        return {name: parent for name, parent in self._parents.items() if parent}

    async def _find_parent(self, room: str) -> None:
        """Find the parent channel if a room is a thread.

        It is known before any event is handled, since rules are set by channel.
        """
        if room in self._parents or not room.isdigit():
            return
        told = await rest(self._channel, f"/channels/{room}")
        parent = part(told, "parent_id") if part(told, "type") in THREADS else ""
        _remember(self._parents, room, parent if isinstance(parent, str) else "", MOST_KNOWN)

    async def _missed(self, room: str, last: str) -> None:
        """Fetch the messages of a room after the last known one."""
        guild = part(await rest(self._channel, f"/channels/{room}"), "guild_id")
        for _ in range(_PAGES):
            told = await rest(self._channel, f"/channels/{room}/messages?after={last}&limit={_PAGE}")
            known = told if isinstance(told, list) else []
            found = sorted((one for one in known if str(part(one, "id")).isdigit()), key=lambda one: int(one["id"]))
            for message in found:
                what = message | ({} if guild is None else {"guild_id": guild})
                await self._hear("MESSAGE_CREATE", {"op": DISPATCH, "t": "MESSAGE_CREATE", "d": what})
                last = str(message["id"])
            if len(found) < _PAGE:
                return


async def rest(channel: Discord, path: str) -> Any:
    """Return the answer to a GET request; None if access is denied."""
    headers = {"Authorization": f"Bot {channel.settings.token}"}
    answer = await ask(channel.client, channel.api + path, None, headers, most=MOST)
    if answer.status == 401:
        raise ChannelError(*_REMEDIES[4004], operator=True)
    if answer.status == 429:
        raise ChannelError("Discord asks for a pause", pause=pause_of(answer))
    if answer.status in (403, 404):
        return None
    if answer.status != 200:
        raise ChannelError(f"Discord answers {answer.status}", "it is tried again")
    return json.loads(answer.body)


def _remember(known: OrderedDict[str, str], key: str, value: str, most: int) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > most:
        known.popitem(last=False)


API = "https://discord.com/api/v10"
FILES = ("cdn.discordapp.com", "media.discordapp.net")
PING, _DISPATCH = 1, 0  # type of an interaction; opcode of a gateway frame
_PONG, _LATER, _LATER_SILENTLY = 1, 5, 6  # types of the first response to an interaction
_NO_PREVIEWS = 4  # message flag: no link previews
_BACK, _CHANNEL = re.compile(BACK), re.compile("[0-9]{1,20}")


class Discord(PlatformChannel):
    """One Discord application of the operator."""

    def __init__(self, name: str, settings: ChannelSettings, client: AsyncClient) -> None:
        token(settings.token)
        super().__init__(name, settings, client, address(settings.api, API))

    def _read(self, incoming: Incoming) -> Received:
        check_body(incoming, self.settings.secret)
        stamp = stamp_of(incoming, "x-signature-timestamp")
        signature = header_of(incoming, "x-signature-ed25519")
        check_ed25519(self.settings.secret, stamp.encode() + incoming.body, signature)  # (1)
        told = read_json(incoming.body)
        if told.get("type") == PING:  # (2)
            return Received(reply=_typed_reply(_PONG))
        if told.get("type") not in (COMMAND, COMPONENT):
            raise RefusedError(Refusal.KIND)
        event = interaction_of(self.name, self.settings.account, told)
        return Received((event,), _typed_reply(_LATER if told["type"] == COMMAND else _LATER_SILENTLY))  # (3)

    def dispatched(self, frame: bytes, known: ConnectionFacts) -> Received:
        """Parse one frame of our connection to Discord's gateway. The connection itself proves its origin."""
        return judged(lambda one: self._frame(one, known), frame)

    def _frame(self, frame: bytes, known: ConnectionFacts) -> Received:
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

    def connection(self) -> Connection | None:
        """Return a connection if no public key is set: then Discord cannot call us."""
        return None if self.settings.secret else self._serve

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
            raise MediaError("it is outside of Discord")
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

    async def _serve(self, inbox: ChannelInbox) -> None:
        """Run until the connection ends; the next one resumes the session."""
        place = read_position(await inbox.position())
        url = place.url or part(await rest(self, "/gateway/bot"), "url")
        if not isinstance(url, str) or not (url.startswith("wss://") or self.api.startswith("http://")):
            raise ChannelError("Discord gives no address to connect to", "look at `api`")
        socket = await websockets.connect(f"{url}/?v=10&encoding=json", max_size=MOST, proxy=None)
        try:
            await _Session(self, inbox, socket, place).run()
        except websockets.ConnectionClosed as closed:
            await self._closed(inbox, closed.rcvd.code if closed.rcvd else 0, place)
        finally:
            await socket.close(LEFT)

    async def _closed(self, inbox: ChannelInbox, code: int, place: Position) -> None:
        if code in _REMEDIES:
            raise ChannelError(*_REMEDIES[code], operator=True)
        if code in _FORGOTTEN:
            await inbox.move((read_position(await inbox.position()) or place)._replace(session="", url="").text())
        raise ChannelError(f"Discord closed the connection ({code})", "it is opened again")


def _judge(answer: PlatformAnswer) -> Sending:
    name = answer.json().get("id")
    return Sending(SendResult.SENT, 0, name if isinstance(name, str) else "")


def _typed_reply(kind: int) -> Reply:
    return Reply(200, json.dumps({"type": kind}).encode(), "application/json")
