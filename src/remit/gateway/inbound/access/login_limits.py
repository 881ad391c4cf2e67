"""Limit on wrong logins by address.

A connection allows few attempts, but an attacker can reconnect, so addresses are counted too.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from remit.gateway.inbound.limits import Bucket, Limit, take

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
        try:
            found = ip_address(address)
        except ValueError:
            return _OTHERS
        plain = (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
        place = str(ip_network(f"{plain}/64", strict=False) if isinstance(plain, IPv6Address) else plain)
        return place if place in self._known or len(self._known) < MOST_ADDRESSES else _OTHERS
