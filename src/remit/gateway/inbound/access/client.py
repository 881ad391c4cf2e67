"""From where somebody really comes. What a request says of itself counts only if a proxy that the operator named says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

# only proxies write these, so that a request with one of them is not from this machine itself
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
    """Who asks. `proxied`: it did not come straight from there."""

    address: str  # nothing if it is not known
    proxied: bool


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """An address; one of IPv4 that is written as one of IPv6 is what it is."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@lru_cache(maxsize=256)  # they stand in the settings: few, and the same for every request
def _network(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text, strict=False)


def within(address: str, networks: Iterable[str]) -> bool:
    """Whether an address lies in one of the networks. What is no address lies in none."""
    found = _address(address)
    return found is not None and any(found in _network(network) for network in networks)


def local(address: str) -> bool:
    """Whether it is this machine."""
    return within(address, _LOOPBACK)


def client_of(peer: str, headers: Mapping[str, str], proxies: tuple[str, ...]) -> Client:
    """Who asks: the peer itself, or whom the last of our proxies says that it saw.

    Proxies write the address that they saw at the end of the list. From the end, our own proxies are passed over; the first other
    address is the client's, and what stands before it was written by the client.
    """
    if not any(name in headers for name in FORWARDED):
        return Client(peer, proxied=False)
    if not within(peer, proxies):
        return Client(peer, proxied=True)  # somebody's proxy, or somebody who pretends: never this machine itself
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        if not within(hop.strip(), proxies):
            return Client(hop.strip() if _address(hop.strip()) else "", proxied=True)
    return Client("", proxied=True)
