"""Detection of repeated events. Platforms repeat what they think was lost; events are equal only if their content is.

An event is remembered by the platform's id for it, else by the request that brought it, else by its content. The
content digest is part of every name: an id that is reused with other content is another event and is not lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

KEPT = 7 * 24 * 3600  # seconds that an event is remembered: longer than any platform retries


class Name(NamedTuple):
    """The name by which an event is remembered."""

    channel: str
    account: str
    by: str
    name: str
    part: int
    digest: str


def name_of(event: Event) -> Name:
    """Return the name of an event."""
    place = event.place
    by, name = next(
        ((by, name) for by, name in (("event", event.event), ("trace", event.trace)) if name), ("content", "")
    )
    return Name(place.channel, place.account, by, name, event.part, event.digest)


def first_time(until: int | None, now: int) -> tuple[int, bool]:
    """Return until when to remember an event, and whether it is new. `until`: the remembered time, if any."""
    return (until, False) if until is not None and now < until else (now + KEPT, True)
