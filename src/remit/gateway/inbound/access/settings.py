"""Settings for listening and authentication. Everything but a plain loopback address counts as exposed."""

from __future__ import annotations

import socket
from enum import StrEnum
from hashlib import sha256
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from remit.core.errors import UsageError

_TAILNET = (ip_network("100.64.0.0/10"), ip_network("fd7a:115c:a1e0::/48"))


class Bind(StrEnum):
    """The kind of listening address."""

    LOOPBACK = "loopback"
    LAN = "lan"
    TAILNET = "tailnet"
    CUSTOM = "custom"  # a given address: it may be any, so it counts as exposed
    AUTO = "auto"  # what the machine offers, possibly all interfaces


class Auth(StrEnum):
    """The required credential."""

    NONE = "none"
    TOKEN = "token"  # noqa: S105  the name of a mode
    PASSWORD = "password"  # noqa: S105
    AUTO = "auto"  # the strongest one that is configured


class Access(NamedTuple):
    """The settings. Only digests of token and password are kept: comparing them takes the same time for every input."""

    bind: Bind = Bind.LOOPBACK
    address: str = ""  # for `custom`
    auth: Auth = Auth.AUTO
    token: bytes = b""  # its `fingerprint`; empty if not set
    password: bytes = b""
    token_length: int = 0  # for the audit alone
    password_length: int = 0
    proxies: tuple[str, ...] = ()  # networks whose forwarded headers count
    tailnet_users: tuple[str, ...] = ()  # users accepted by the name that the tailnet confirms
    names: tuple[str, ...] = ()  # additional host names of this gateway, besides addresses and the machine's own name


def fingerprint(secret: str) -> bytes:
    """Return the digest of a token or password, which is stored and compared."""
    return sha256(b"remit gateway credential\0" + secret.encode("utf-8", "surrogatepass")).digest()


def exposed(bind: Bind) -> bool:
    """Return whether other machines can reach the listening address."""
    return bind is not Bind.LOOPBACK


def resolved(access: Access) -> Auth:
    """Return the effective authentication: the password if set, else the token if set, else none."""
    if access.auth is not Auth.AUTO:
        return access.auth
    if access.password:
        return Auth.PASSWORD
    return Auth.TOKEN if access.token else Auth.NONE


def expected(access: Access) -> bytes:
    """Return the fingerprint of the required credential; empty if none is set, and then every login is refused."""
    return {Auth.PASSWORD: access.password, Auth.TOKEN: access.token}.get(resolved(access), b"")


def address_of(access: Access) -> str:
    """Return the listening address."""
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
