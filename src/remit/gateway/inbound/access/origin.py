"""Whose page asks, and by which name we were called. Both are compared whole.

A page of somebody else in the same browser may open sockets to here: its origin is not ours. A stranger's name that leads to our address
(DNS rebinding) has the stranger's page as its origin, which is then the same as the host: so the name must be one of ours too.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.access.client import within

if TYPE_CHECKING:
    from remit.gateway.inbound.access.settings import Access

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
_TAILNET = ".ts.net"
_PORTS = {"http": 80, "https": 443}
_ORIGIN = re.compile(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")


class Site(NamedTuple):
    """Where a page comes from."""

    scheme: str
    host: str
    port: int


def own_page(headers: Mapping[str, str]) -> bool:
    """Whether a page of ours asks, or no page at all. Browsers always say which; a proxy says by which scheme it was reached, no page can."""
    if "origin" not in headers:
        return True
    scheme = headers.get("x-forwarded-proto", "http").split(",")[0].strip().lower()
    found = _ORIGIN.fullmatch(headers["origin"])
    ours = _HOST.fullmatch(headers.get("host", "").lower())
    if found is None or ours is None or scheme not in _PORTS:
        return False
    origin = Site(found[1], found[2], int(found[3] or _PORTS[found[1]]))
    return origin == Site(scheme, ours[1], int(ours[2] or _PORTS[scheme]))


def host_name(headers: Mapping[str, str]) -> str:
    """What we were called by whoever asked, without the port; nothing if that is no name."""
    found = _HOST.fullmatch(headers.get("host", "").lower())
    return found[1] if found else ""


def local_name(headers: Mapping[str, str]) -> bool:
    """Whether it was asked for by a name of this machine for itself."""
    return host_name(headers) in LOCAL_NAMES


def known_name(access: Access, peer: str, headers: Mapping[str, str], *, secret: bool) -> bool:
    """Whether we were called by a name of ours: this machine's, an address, one of the settings, or one of the tailnet.

    `secret`: one was shown. Through a proxy of the settings it then may be any name: whoever is tricked there has shown nothing.
    """
    name = host_name(headers)
    if secret and within(peer, access.proxies):
        return True
    ours = {*LOCAL_NAMES, *(one.lower() for one in access.names), *_machine_names()}
    return name in ours or _is_address(name) or (name.endswith(_TAILNET) and within(peer, access.proxies))


def _machine_names() -> tuple[str, ...]:
    name = socket.gethostname().lower()
    return (name, f"{name}.local") if name else ()


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
