"""Whoever comes is let in first: nothing else of what is sent is read before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remit.gateway.inbound.access.client import client_of
from remit.gateway.inbound.access.connection import Connection, LoggedIn, Phase, Sent, step
from remit.gateway.inbound.access.login import USER, Asking, log_in
from remit.gateway.inbound.access.tailnet import user_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import HTTPConnection

    from remit.gateway.inbound.access.login import Login
    from remit.gateway.inbound.access.settings import Access

MOST = 64 * 1024  # characters of a message
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


def headers_of(connection: HTTPConnection) -> Mapping[str, str] | None:
    """The headers; None if one of them stands twice: who reads the first and who reads the last would see two requests."""
    told = all_headers(connection)
    found = dict(told)
    return found if len(found) == len(told) else None


def all_headers(connection: HTTPConnection) -> tuple[tuple[str, str], ...]:
    """Every header as it came; names in small letters."""
    return tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in connection.headers.raw)


def peer_of(connection: HTTPConnection) -> str:
    """The other end of the connection."""
    return connection.client.host if connection.client else ""


def same_site(headers: Mapping[str, str]) -> bool:
    """Whether a page of ours asks: a page of somebody else in the same browser may open sockets to here, with our name in none."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    return not origin or origin.split("://", 1)[-1] == host


def local_name(headers: Mapping[str, str]) -> bool:
    """Whether it was asked for by a name of this machine: a stranger's name that leads here is a trick (DNS rebinding)."""
    host = headers.get("host", "")
    return (host.rsplit(":", 1)[0] if not host.endswith("]") else host) in _LOCAL


async def try_login(access: Access, connection: HTTPConnection, shown: str) -> Login | None:
    """By settings and headers; None if the request itself is wrong."""
    headers = headers_of(connection)
    if headers is None or not same_site(headers):
        return None
    peer, vouched = peer_of(connection), ""
    if access.tailnet_users and USER in headers:
        vouched = await user_of(client_of(peer, headers, access.proxies).address)
    found = log_in(access, Asking(peer, headers, shown, vouched))
    return None if found.by == "local" and not local_name(headers) else found


class Door:
    """One connection, from its first message on."""

    def __init__(self, access: Access, connection: HTTPConnection) -> None:
        self._access = access
        self._connection = connection
        self._state = Connection()

    @property
    def open(self) -> bool:
        """Whether it goes on."""
        return self._state.phase is not Phase.CLOSED

    async def first(self, text: str) -> bool:
        """A message of somebody who is not in yet: `{"login": SECRET}` and nothing else; whether that let it in."""
        shown = _login_in(text)
        login = None if shown is None else await try_login(self._access, self._connection, shown)
        self._state, _ = step(self._state, Sent() if login is None else LoggedIn(login))
        return self._state.phase is Phase.IN


def _login_in(text: str) -> str | None:
    if len(text) > MOST:
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fine = isinstance(told, dict) and set(told) == {"login"} and isinstance(told["login"], str)
    return told["login"] if fine else None
