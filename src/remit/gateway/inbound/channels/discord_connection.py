"""Connection to Discord's gateway. A session is resumed where it stopped, also after a restart.

(1) Hello, then Resume with the stored position, or Identify
(2) heartbeats at the interval of Hello; one that is not acknowledged ends the connection
(3) an event is stored before its number: a resumed session repeats what follows that number
(4) if a session cannot be resumed, missed messages are fetched from each room in which the bot was addressed before
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import websockets

from remit.gateway.inbound.channels.discord_events import THREADS, Known
from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.channels.parsing import part
from remit.gateway.inbound.channels.platform_requests import ask, pause_of
from remit.gateway.inbound.ingress.gate import Heard

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.discord import Discord
    from remit.gateway.inbound.channels.interface import Inbox
    from remit.gateway.inbound.ingress.intake import Fate

_GUILDS, _MESSAGES, _REACTIONS, _DIRECT, _DIRECT_REACTIONS, _CONTENT = 1, 1 << 9, 1 << 10, 1 << 12, 1 << 13, 1 << 15
INTENTS = _GUILDS | _MESSAGES | _REACTIONS | _DIRECT | _DIRECT_REACTIONS | _CONTENT
DISPATCH, BEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, BEAT_HEARD = 0, 1, 2, 6, 7, 9, 10, 11
LEFT = 4000  # our close code: after 1000 Discord would forget the session
MOST = 4 * 1024 * 1024  # bytes of a frame
MOST_ROOMS, MOST_KNOWN, _PAGE, _PAGES = 500, 5000, 100, 10
HEARD = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_REACTION_ADD", "INTERACTION_CREATE"})
_REMEDIES: Mapping[int, tuple[str, str]] = {
    4004: ("Discord does not know the token", "reset it under Bot in the developer portal, and write it into the file under `token_file`"),
    4011: ("the bot is in so many servers that Discord wants several connections", "take it out of some"),
    4013: ("Discord does not know what we want to hear", "use a newer version"),
    4014: ("the bot may not read messages", "turn on MESSAGE CONTENT INTENT under Bot in the developer portal"),
}  # fmt: skip
_FORGOTTEN = (4003, 4007, 4009)  # close codes after which the session is over


class Place(NamedTuple):
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


def read_place(text: str) -> Place:
    """Return the stored position; malformed text gives an empty one."""
    try:
        *plain, rooms = json.loads(text)
        return Place(*plain)._replace(rooms=tuple((str(room), str(last)) for room, last in rooms))
    except (ValueError, TypeError):
        return Place()


class GatewayConnection(NamedTuple):
    """See interface.Connection."""

    channel: Discord

    async def run(self, inbox: Inbox) -> None:
        """Run until the connection ends; the next one resumes the session."""
        place = read_place(await inbox.position())
        url = place.url or part(await rest(self.channel, "/gateway/bot"), "url")
        if not isinstance(url, str) or not (url.startswith("wss://") or self.channel.api.startswith("http://")):
            raise ChannelError("Discord gives no address to connect to", "look at `api`")
        socket = await websockets.connect(f"{url}/?v=10&encoding=json", max_size=MOST, proxy=None)
        try:
            await _Session(self.channel, inbox, socket, place).run()
        except websockets.ConnectionClosed as closed:
            await self._closed(inbox, closed.rcvd.code if closed.rcvd else 0, place)
        finally:
            await socket.close(LEFT)

    async def _closed(self, inbox: Inbox, code: int, place: Place) -> None:
        if code in _REMEDIES:
            raise ChannelError(*_REMEDIES[code], operator=True)
        if code in _FORGOTTEN:
            await inbox.move((read_place(await inbox.position()) or place)._replace(session="", url="").text())
        raise ChannelError(f"Discord closed the connection ({code})", "it is opened again")


class _Session:
    """One open connection."""

    def __init__(self, channel: Discord, inbox: Inbox, socket: Any, place: Place) -> None:
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

    async def _begin(self) -> None:  # (1)
        token = self._channel.settings.token
        if self._place.session:
            await self._tell(RESUME, {"token": token, "session_id": self._place.session, "seq": self._number})
        else:
            ours = {"os": "linux", "browser": "remit", "device": "remit"}
            await self._tell(IDENTIFY, {"token": token, "intents": INTENTS, "properties": ours})

    async def _beat(self, seconds: float) -> None:  # (2)
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
            await self._keep()  # (3)

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
        self._place = Place(session, url, 0, application, bot, behind=bool(self._rooms))
        await self._keep()  # before anything else can fail: resuming is unlimited, new sessions are limited
        self._inbox.connected()
        await self._catch_up()

    async def _catch_up(self) -> None:  # (4)
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
        known = Known(self._place.application, self._place.bot, self._threads(), self._authors)
        fates = await self._inbox.take(self._channel.dispatched(json.dumps(told).encode(), known))
        if kind == "INTERACTION_CREATE" and fates:
            await self._channel.acknowledge(what)
        name, author = part(what, "id"), part(what, "author", "id")
        if kind == "MESSAGE_CREATE" and isinstance(name, str) and isinstance(room, str):
            _remember(self._authors, name, str(author), MOST_KNOWN)
            if room in self._rooms or any(one.heard is not Heard.DROPPED for one in fates):
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
        raise ChannelError("Discord wants to be left alone for a while", pause=pause_of(answer))
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
