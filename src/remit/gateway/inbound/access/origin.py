"""Checks of the page origin and host name of a request, against other websites in the user's browser.

A foreign page may open sockets to the gateway, but its origin differs. With DNS rebinding an attacker's name points to
our address, so its origin equals the host: therefore the host name must be one of ours, too. Both are compared whole.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.access.client_address import within

if TYPE_CHECKING:
    from remit.gateway.inbound.access.settings import Access

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
_TAILNET = ".ts.net"
_PORTS = {"http": 80, "https": 443}
_ORIGIN = re.compile(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")


class Site(NamedTuple):
    """The origin of a page."""

    scheme: str
    host: str
    port: int


def own_page(headers: Mapping[str, str]) -> bool:
    """Return whether the request comes from our own page, or from no page.

    Browsers always send the origin. The scheme comes from the proxy's header, which a page cannot set.
    """
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
    """Return the host name of a request without the port; empty if it is malformed."""
    found = _HOST.fullmatch(headers.get("host", "").lower())
    return found[1] if found else ""


def local_name(headers: Mapping[str, str]) -> bool:
    """Return whether the host name is a local name of this machine."""
    return host_name(headers) in LOCAL_NAMES


def known_name(access: Access, peer: str, headers: Mapping[str, str], *, secret: bool) -> bool:
    """Return whether the host name is ours: this machine's, an IP address, one of the settings, or one of the tailnet.

    `secret`: the request carried a credential. Then any name counts through a configured proxy, because a tricked
    browser could not have sent the credential.
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
