"""Who may connect to the gateway: listening addresses, client addresses behind proxies, origins, logins and their limits.

- settings: bind address and authentication, and their effective values; all but a plain loopback address counts as exposed
- client: the real address; forwarding headers count only if they come from a proxy that the operator configured
- origin: a foreign page may open sockets to the gateway, but its origin differs. With DNS rebinding an attacker's name
  points to our address, so its origin equals the host: therefore the host name must be one of ours, too
- login: depends only on the settings, the origin of the request and the credentials
- login limits: a connection allows few attempts, but an attacker can reconnect, so addresses are counted too
- connection: before the login nothing is handled as a command, and repeated wrong logins end it
- tailnet: the user of an address, according to the local tailscale program; without an answer there is no user
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple, TypeAlias

from remit.core.errors import UsageError
from remit.gateway.inbound.limits import Bucket, Limit, take

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


# only proxies set these, so a request with one of them does not come from this machine itself
FORWARDED = (
    "forwarded",
    "tailscale-user-login",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
_LOOPBACK = ("127.0.0.0/8", "::1/128")


class Client(NamedTuple):
    """The client of a request. `proxied`: it did not connect directly."""

    address: str  # empty if unknown
    proxied: bool


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the parsed address, or None. An IPv4-mapped IPv6 address becomes the IPv4 address."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@lru_cache(maxsize=256)  # from the settings: few, and the same for every request
def _network(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text, strict=False)


def within(address: str, networks: Iterable[str]) -> bool:
    """Return whether an address lies in one of the networks; False for text that is no address."""
    found = _address(address)
    return found is not None and any(found in _network(network) for network in networks)


def local(address: str) -> bool:
    """Return whether the address is a loopback address."""
    return within(address, _LOOPBACK)


def client_of(peer: str, headers: Mapping[str, str], proxies: tuple[str, ...]) -> Client:
    """Return the client: the peer itself, or the address that the last of our proxies saw.

    Each proxy appends the address that it saw. From the end of the list our own proxies are skipped; the first other
    address is the client's, and entries before it were written by the client.
    """
    if not any(name in headers for name in FORWARDED):
        return Client(peer, proxied=False)
    if not within(peer, proxies):
        return Client(peer, proxied=True)  # an unknown proxy, or a forged header: never this machine itself
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        if not within(hop.strip(), proxies):
            return Client(hop.strip() if _address(hop.strip()) else "", proxied=True)
    return Client("", proxied=True)


LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
_TAILNET_NAMES = ".ts.net"
_PORTS = {"http": 80, "https": 443}
_ORIGIN = re.compile(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")


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
    origin = found[1], found[2], int(found[3] or _PORTS[found[1]])
    return origin == (scheme, ours[1], int(ours[2] or _PORTS[scheme]))


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
    return (
        name in ours
        or _address(name.strip("[]")) is not None
        or (name.endswith(_TAILNET_NAMES) and within(peer, access.proxies))
    )


def _machine_names() -> tuple[str, ...]:
    name = socket.gethostname().lower()
    return (name, f"{name}.local") if name else ()


USER = "tailscale-user-login"
_TAILNET_PROXY = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")


class Asking(NamedTuple):
    """A login request. Header names are lower case and unique: requests with repeated headers are refused earlier."""

    peer: str  # address of the other end of the connection
    headers: Mapping[str, str]
    shown: str = ""  # token or password
    vouched: str = ""  # the user to whom, according to the tailnet, the client's address belongs


class Login(NamedTuple):
    """The result: how the client was authenticated, or the reason code of the refusal."""

    by: str = ""  # `local`, `token`, `password` or `tailnet:USER`
    refused: str = ""


def log_in(access: Access, asking: Asking) -> Login:
    """Accept or refuse a login."""
    if user := _tailnet_user(access, asking):
        return Login(by=f"tailnet:{user}")
    mode = resolved(access)
    if mode is Auth.NONE:
        client = client_of(asking.peer, asking.headers, access.proxies)
        alone = not exposed(access.bind) and local(client.address) and not client.proxied
        return Login(by="local") if alone else Login(refused="AUTH_NEEDED")
    wanted = expected(access)
    right = compare_digest(fingerprint(asking.shown), wanted or fingerprint("") + b"no secret is set")
    return Login(by=str(mode)) if right else Login(refused="AUTH_WRONG" if asking.shown else "AUTH_NEEDED")


def _tailnet_user(access: Access, asking: Asking) -> str:
    """Return the user that the tailnet's proxy names, or an empty string.

    The proxy runs on this machine and sets all its headers. The user must be one that the operator accepts, and the
    tailnet must confirm that the address belongs to that user: headers alone could be written by any program on this
    machine.
    """
    named = asking.headers.get(USER, "")
    by_proxy = (
        local(asking.peer)
        and within(asking.peer, access.proxies)
        and all(name in asking.headers for name in _TAILNET_PROXY)
    )
    return named if by_proxy and named in access.tailnet_users and named == asking.vouched else ""


WRONG = Limit(10, 30)  # ten wrong ones at once, then one in half a minute
MOST_ADDRESSES = 10_000  # addresses that are counted; all further ones share one count
_OTHERS = "others"


class Guesses:
    """Counts of wrong logins by address."""

    def __init__(self) -> None:
        self._known: dict[str, Bucket] = {}

    def spent(self, address: str, now: int) -> bool:
        """Return whether the address is blocked now; then its credentials are not even compared."""
        return not take(self._known.get(self._place(address)), WRONG, now)[1]

    def wrong(self, address: str, now: int) -> None:
        """Count a wrong login."""
        place = self._place(address)
        self._known[place], _ = take(self._known.get(place), WRONG, now)
        if len(self._known) >= MOST_ADDRESSES:
            self._known = {
                name: one for name, one in self._known.items() if now - one.since < WRONG.most * WRONG.seconds
            }

    def _place(self, address: str) -> str:
        """Return the counting key: an IPv6 client counts by its /64 network."""
        plain = _address(address)
        if plain is None:
            return _OTHERS
        place = str(ip_network(f"{plain}/64", strict=False) if isinstance(plain, IPv6Address) else plain)
        return place if place in self._known or len(self._known) < MOST_ADDRESSES else _OTHERS


MOST_GUESSES = 3  # wrong logins on one connection


class ConnectionPhase(StrEnum):
    """The phase of a connection."""

    NEW = "new"
    IN = "in"
    CLOSED = "closed"


class Connection(NamedTuple):
    """The state of a connection."""

    phase: ConnectionPhase = ConnectionPhase.NEW
    by: str = ""
    guesses: int = 0


class LoggedIn(NamedTuple):
    """The result of a login."""

    login: Login


class MessageArrived(NamedTuple):
    """Any other message arrived."""


class ConnectionEnd(NamedTuple):
    """The peer disconnected, or its rights were revoked."""


ConnectionEvent: TypeAlias = "LoggedIn | MessageArrived | ConnectionEnd"


def step(known: Connection, event: ConnectionEvent) -> tuple[Connection, str]:
    """Return the new state, and the action: `hear` a command, `refuse`, `close`, or an empty string."""
    if known.phase is ConnectionPhase.CLOSED:
        return known, "refuse"
    match event:
        case ConnectionEnd():
            return known._replace(phase=ConnectionPhase.CLOSED, by=""), "close"
        case LoggedIn(login) if known.phase is ConnectionPhase.NEW:
            if login.by and not login.refused:
                return Connection(ConnectionPhase.IN, login.by), ""
            guesses = known.guesses + 1
            over = guesses >= MOST_GUESSES
            return Connection(
                ConnectionPhase.CLOSED if over else ConnectionPhase.NEW, "", guesses
            ), "close" if over else "refuse"
        case MessageArrived() if known.phase is ConnectionPhase.IN:
            return known, "hear"
    return known._replace(phase=ConnectionPhase.CLOSED, by=""), "close"  # a command before the login, or a second login


_WHOIS_SECONDS = 3.0
_MOST_WHOIS = 1024 * 1024


async def user_of(address: str) -> str:
    """Return the login name of the address's user, or an empty string."""
    program = shutil.which("tailscale")
    try:
        plain = str(ip_address(address))
    except ValueError:
        return ""
    if program is None:
        return ""
    try:
        asked = await asyncio.create_subprocess_exec(
            program, "whois", "--json", plain,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return ""
    try:
        async with asyncio.timeout(_WHOIS_SECONDS):
            told, _ = await asked.communicate()
    except TimeoutError:
        asked.kill()
        await asked.wait()
        return ""
    return _name_in(told) if asked.returncode == 0 and len(told) <= _MOST_WHOIS else ""


def _name_in(told: bytes) -> str:
    try:
        name = json.loads(told)["UserProfile"]["LoginName"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""
