"""Each event once. Platforms send again what they think was lost; two events are one only if they are the same in what they say.

An event is remembered under the platform's name for it; without one, under the request that brought it; without that, under its
content. Under each name the content stands too: a name that comes again with another content is another event, and is not lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

KEPT = 7 * 24 * 3600  # seconds that an event is remembered: longer than any platform tries again


class Name(NamedTuple):
    """Under which an event is remembered."""

    channel: str
    account: str
    by: str
    name: str
    part: int
    digest: str


def name_of(event: Event) -> Name:
    """See above."""
    place = event.place
    by, name = next(
        ((by, name) for by, name in (("event", event.event), ("trace", event.trace)) if name), ("content", "")
    )
    return Name(place.channel, place.account, by, name, event.part, event.digest)


def first_time(until: int | None, now: int) -> tuple[int, bool]:
    """Until when an event is remembered, and whether this is the first time that it is heard. `until`: what is remembered of it."""
    return (until, False) if until is not None and now < until else (now + KEPT, True)
