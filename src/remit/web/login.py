"""Login of WebSocket connections: before it, no other message is read."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from remit.gateway.inbound.access import (
    USER,
    Access,
    Asking,
    Auth,
    Connection,
    ConnectionEnd,
    ConnectionPhase,
    Guesses,
    LoggedIn,
    Login,
    MessageArrived,
    client_of,
    known_name,
    local_name,
    log_in,
    own_page,
    step,
    user_of,
)

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


MOST = 64 * 1024  # characters of a message
SECONDS = 120.0  # until a client must be logged in and identified; a person may have to type
MOST_NEW = 64  # connections not yet identified: one more closes the oldest
SHUT = 4401  # close code of a connection that is not, or no longer, logged in


def headers_of(connection: HTTPConnection) -> Mapping[str, str] | None:
    """Return the headers; None if one is duplicated, since proxies and servers might read different values."""
    told = all_headers(connection)
    found = dict(told)
    return found if len(found) == len(told) else None


def all_headers(connection: HTTPConnection) -> tuple[tuple[str, str], ...]:
    """Return all headers in order, with names in lower case."""
    return tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in connection.headers.raw)


def peer_of(connection: HTTPConnection) -> str:
    """Return the address of the other end."""
    return connection.client.host if connection.client else ""


async def try_login(access: Access, connection: HTTPConnection, shown: str) -> Login | None:
    """Try to log in by settings and headers; None if the request itself is invalid."""
    headers = headers_of(connection)
    if headers is None or not own_page(headers):
        return None
    peer, vouched = peer_of(connection), ""
    if access.tailnet_users and USER in headers:
        vouched = await user_of(client_of(peer, headers, access.proxies).address)
    found = log_in(access, Asking(peer, headers, shown, vouched))
    if found.by == "local" and not local_name(headers):
        return None
    secret = found.by in (Auth.TOKEN, Auth.PASSWORD)
    return found if not found.by or known_name(access, peer, headers, secret=secret) else None


class Door:
    """One connection, from its first message on."""

    def __init__(self, doors: Doors, socket: WebSocket) -> None:
        self._doors = doors
        self._socket = socket
        self._state = Connection()
        self._until = asyncio.get_running_loop().time() + SECONDS
        self.proved = False  # identified, after the login

    @property
    def open(self) -> bool:
        """Whether it is still open."""
        return self._state.phase is not ConnectionPhase.CLOSED

    async def heard(self) -> str:
        """Return the next message.

        Before login and identification the time is limited; after the end nothing is returned.
        """
        waits = None if self.proved else max(0.0, self._until - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(waits):
                text = await self._socket.receive_text()
        except TimeoutError:
            await self.shut()
            raise WebSocketDisconnect(SHUT) from None
        if not self.open:
            raise WebSocketDisconnect(SHUT)
        return text

    async def first(self, text: str) -> bool:
        """Handle a message before the login, which must be `{"login": SECRET}`; return whether the client is logged in
        now.
        """
        shown = _login_in(text)
        login = None if shown is None else await self._doors.try_login(self._socket, shown)
        self._state, _ = step(self._state, MessageArrived() if login is None else LoggedIn(login))
        return self._state.phase is ConnectionPhase.IN

    def end(self) -> None:
        """Stop handling messages."""
        self._state, _ = step(self._state, ConnectionEnd())

    async def shut(self) -> None:
        """Close the connection: its time is over or its rights were revoked."""
        self.end()
        with suppress(RuntimeError, OSError):
            await self._socket.close(SHUT)


class Doors:
    """All open connections and the settings for their login."""

    def __init__(self, access: Access, clock: Callable[[], float] = time.monotonic) -> None:
        self._access = access
        self._clock = clock
        self._guesses = Guesses()
        self._open: dict[Door, None] = {}  # in order of arrival

    @asynccontextmanager
    async def of(self, socket: WebSocket) -> AsyncIterator[Door]:
        """Accept a socket; yields its connection until it ends."""
        await socket.accept()
        door = Door(self, socket)
        self._open[door] = None
        try:
            new = [one for one in self._open if one.open and not one.proved]
            if len(new) > MOST_NEW:
                await new[0].shut()
            yield door
        finally:
            self._open.pop(door, None)

    @property
    def count(self) -> int:
        """The number of open connections."""
        return len(self._open)

    async def use(self, access: Access) -> None:
        """Adopt new settings. Clients logged in by the old ones must log in again."""
        if access != self._access:
            self._access = access
            gone = tuple(self._open)
            for door in gone:  # end all before closing the first: closing takes time
                door.end()
            for door in gone:
                await door.shut()

    async def try_login(self, socket: WebSocket, shown: str) -> Login | None:
        """Try a login; None if the request is invalid or the address made too many wrong guesses."""
        address = self._address_of(socket)
        if shown and self._guesses.spent(address, int(self._clock())):
            return None
        login = await try_login(self._access, socket, shown)
        if shown and login is not None and login.refused:
            self._guesses.wrong(address, int(self._clock()))
        return login

    def _address_of(self, socket: WebSocket) -> str:
        return client_of(peer_of(socket), headers_of(socket) or {}, self._access.proxies).address


def _login_in(text: str) -> str | None:
    if len(text) > MOST:
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fine = isinstance(told, dict) and set(told) == {"login"} and isinstance(told["login"], str)
    return told["login"] if fine else None
