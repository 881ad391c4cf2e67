"""Choice of the agent for a message: the most specific binding of its place; among equals the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Place

ANY = "*"


class Binding(NamedTuple):
    """An agent and the places that it serves. `*` is anything; other values match exactly."""

    agent: str
    channel: str = ANY
    account: str = ANY
    room: str = ANY  # of a group
    peer: str = ANY

    def fits(self, place: Place) -> bool:
        """Return whether the binding matches a place."""
        wanted = (self.channel, self.account, self.room, self.peer)
        found = (place.channel, place.account, place.room, place.peer)
        return all(one in (ANY, other) for one, other in zip(wanted, found, strict=True))

    @property
    def weight(self) -> tuple[bool, ...]:
        """Its specificity: a person counts more than a room, a room more than an account, an account more than a
        channel.
        """
        return tuple(one != ANY for one in (self.peer, self.room, self.account, self.channel))


def agent_of(bindings: tuple[Binding, ...], default: str, place: Place) -> str:
    """Return the agent for a place."""
    fitting = [one for one in bindings if one.fits(place)]
    return max(fitting, key=lambda one: one.weight).agent if fitting else default
