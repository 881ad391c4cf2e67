"""The checked addresses of a host. Names are resolved once, here, and connections use the address, not the name.

Every address of a name must be public. If one is not, none is used, because a name with a public and a private
address is probably an attack (DNS rebinding). The ranges are data (`data/addresses.table`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from remit.capsule.confinement import DATA
from remit.core.errors import DataError
from remit.core.scope.hosts import normal_host
from remit.core.table import read_table

_WORLD = IPv6Network("2000::/3")
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("::ffff:0:0:0/96"))  # the last 32 bits are an IPv4 address
_MOST = 64  # addresses of one name


class AllowedHost(NamedTuple):
    """A host that may be connected to, at one of these addresses."""

    host: str
    port: int
    addresses: tuple[str, ...]


class RefusedHost(NamedTuple):
    """Why a host may not be connected to; the code is stable."""

    host: str
    port: int
    code: str
    reason: str


def checked_addresses(
    host: str,
    port: int,
    resolve: Callable[[str], Iterable[str]],
    named: Callable[[str, int], bool] = lambda _address, _port: False,
) -> AllowedHost | RefusedHost:
    """Return the addresses of a host, or why there are none. `resolve` returns the addresses of a name, and raises
    OSError for none.

    `named` returns whether a manifest names exactly this address and port, which allows one that is not public.
    """
    name = normal_host(host if ":" not in host else f"[{host.strip('[]')}]")
    if name is None:
        return RefusedHost(host, port, "ODD_HOST", f"`{host[:300]}` is no name or address that all read alike")
    if not 0 < port < 65_536:
        return RefusedHost(name, port, "ODD_PORT", f"{port} is no port")
    literal = _address(name)
    try:
        found = [str(literal)] if literal is not None else sorted(set(resolve(name)))[: _MOST + 1]
    except (OSError, UnicodeError) as error:
        return RefusedHost(name, port, "UNRESOLVED", f"`{name}` has no address: {error}"[:500])
    if not found or len(found) > _MOST:
        return RefusedHost(name, port, "UNRESOLVED", f"`{name}` has no address, or too many")
    for text in found:
        address = _address(text)
        what = "no address" if address is None else forbidden(address)
        if what and not (address is not None and _opened(name, address, port, named)):
            return RefusedHost(name, port, "NOT_PUBLIC", f"`{name}` leads to {text}: {what}")
    return AllowedHost(name, port, tuple(found))


def forbidden(address: IPv4Address | IPv6Address) -> str:
    """Return what an address is if it is not one public host; empty if it is."""
    if isinstance(address, IPv4Address):
        return next((what for network, what in _ranges()[0] if address in network), "")
    if getattr(address, "scope_id", None):
        return "an address of one cable"
    inner = _inside(address)
    if inner is not None:
        return forbidden(inner) or "an IPv4 address that is written as another"
    if address not in _WORLD:
        return "not out in the world"
    return next((what for network, what in _ranges()[1] if address in network), "")


def _inside(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address embeds."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if any(address in network for network in _TRANSLATED) or int(address) < 1 << 32:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _opened(name: str, address: IPv4Address | IPv6Address, port: int, named: Callable[[str, int], bool]) -> bool:
    return named(str(address), port) or (name == "localhost" and address.is_loopback and named(name, port))


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


@cache
def _ranges() -> tuple[tuple[tuple[IPv4Network, str], ...], tuple[tuple[IPv6Network, str], ...]]:
    rows = tuple(_rows())
    four = tuple((network, what) for network, what in rows if isinstance(network, IPv4Network))
    return four, tuple((network, what) for network, what in rows if isinstance(network, IPv6Network))


def _rows() -> Iterator[tuple[IPv4Network | IPv6Network, str]]:
    for row in read_table(DATA / "addresses.table", 2):
        text, what = row.cells
        try:
            yield (IPv4Network(text) if row.section == "IPv4" else IPv6Network(text)), what
        except ValueError:
            raise DataError(f"{row.where}: `{text}` is no range of addresses", "correct the line") from None
