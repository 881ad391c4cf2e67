"""Which agent hears a message: the binding that says most about where it was said; among equals the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.routing.message import Place

ANY = "*"


class Binding(NamedTuple):
    """An agent, and what must be so that it hears. `*` is anything; a name is exactly that name."""

    agent: str
    channel: str = ANY
    account: str = ANY
    room: str = ANY  # of a group
    peer: str = ANY

    def fits(self, place: Place) -> bool:
        """Whether it speaks of this place."""
        wanted = (self.channel, self.account, self.room, self.peer)
        found = (place.channel, place.account, place.room, place.peer)
        return all(one in (ANY, other) for one, other in zip(wanted, found, strict=True))

    @property
    def weight(self) -> tuple[bool, ...]:
        """How much it says: a person goes before a room, a room before an account, an account before a channel."""
        return tuple(one != ANY for one in (self.peer, self.room, self.account, self.channel))


def agent_of(bindings: tuple[Binding, ...], default: str, place: Place) -> str:
    """Who hears what is said there."""
    fitting = [one for one in bindings if one.fits(place)]
    return max(fitting, key=lambda one: one.weight).agent if fitting else default
