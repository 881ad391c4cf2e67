"""The real address of a client.

Forwarding headers count only if they come from a proxy that the operator configured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

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
