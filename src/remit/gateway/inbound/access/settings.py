"""Where the gateway listens, and how it knows who asks. What is not plainly this machine alone counts as exposed."""

from __future__ import annotations

import socket
from enum import StrEnum
from hashlib import sha256
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from remit.core.errors import UsageError

_TAILNET = (ip_network("100.64.0.0/10"), ip_network("fd7a:115c:a1e0::/48"))


class Bind(StrEnum):
    """Where it listens."""

    LOOPBACK = "loopback"
    LAN = "lan"
    TAILNET = "tailnet"
    CUSTOM = "custom"  # an address that is given: it may be any, so it counts as exposed
    AUTO = "auto"  # what the machine offers, which may be all of it


class Auth(StrEnum):
    """What somebody must show."""

    NONE = "none"
    TOKEN = "token"  # noqa: S105  the name of a mode
    PASSWORD = "password"  # noqa: S105
    AUTO = "auto"  # the strongest for which something was set


class Access(NamedTuple):
    """The settings. Of token and password only digests are kept: a comparison takes the same time for whatever was sent."""

    bind: Bind = Bind.LOOPBACK
    address: str = ""  # for `custom`
    auth: Auth = Auth.AUTO
    token: bytes = b""  # `fingerprint` of it; nothing where none was set
    password: bytes = b""
    token_length: int = 0  # for the audit alone
    password_length: int = 0
    proxies: tuple[str, ...] = ()  # networks whose forwarded headers count
    tailnet_users: tuple[str, ...] = ()  # who is let in by the name that the tailnet vouches for
    names: tuple[str, ...] = ()  # by which others may call this gateway, besides addresses and the machine's own name


def fingerprint(secret: str) -> bytes:
    """What is kept of a token or password, and compared."""
    return sha256(b"remit gateway credential\0" + secret.encode("utf-8", "surrogatepass")).digest()


def exposed(bind: Bind) -> bool:
    """Whether others than this machine can reach it."""
    return bind is not Bind.LOOPBACK


def resolved(access: Access) -> Auth:
    """What somebody must show, in the end: a password rather than a token, a token rather than nothing."""
    if access.auth is not Auth.AUTO:
        return access.auth
    if access.password:
        return Auth.PASSWORD
    return Auth.TOKEN if access.token else Auth.NONE


def expected(access: Access) -> bytes:
    """The fingerprint of what must be shown; nothing where nothing was set, and then nothing is good enough."""
    return {Auth.PASSWORD: access.password, Auth.TOKEN: access.token}.get(resolved(access), b"")


def address_of(access: Access) -> str:
    """Where it listens."""
    match access.bind:
        case Bind.LOOPBACK:
            return "127.0.0.1"
        case Bind.CUSTOM:
            return access.address
        case Bind.TAILNET:
            return _tailnet_address()
    return "0.0.0.0"  # noqa: S104  what the operator asked for, with authentication


def _tailnet_address() -> str:
    found = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
    for text in sorted(map(str, found)):
        if any(ip_address(text) in network for network in _TAILNET):
            return text
    raise UsageError("this machine has no address in a tailnet", "start the tailnet, or bind to another")
