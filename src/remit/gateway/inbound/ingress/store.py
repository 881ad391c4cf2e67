"""Event store: that an event was seen, its session, and its turn are written together or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.ingress.deduplication import first_time, name_of
from remit.gateway.inbound.ingress.event_session import Held, belongs
from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.stores.ordering import join
from remit.gateway.inbound.stores.serialization import key_of
from remit.gateway.inbound.turns.state_machine import Turn, lane_of, line_of

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

ONCE, MESSAGES, HEARD = "once", "messages", "heard"
MESSAGE_KEPT = 90 * 24 * 3600  # seconds in which later events about a message are matched to it


class Routed(NamedTuple):
    """An event that passed the gate: its speaker, its agent, and the session for a new message."""

    event: Event
    speaker: str
    agent: str
    session: str


def message_name(event: Event) -> tuple[str, ...]:
    """Return the key of a message, including the kind of place: a room may have the same id as a person."""
    place = event.place
    return (
        place.channel,
        place.account,
        place.kind,
        place.room if place.kind is Kind.GROUP else place.peer,
        event.message,
    )


def accept(routed: Routed, now: int) -> Operation[str]:
    """Store an event for its agent; return the reason code if it is refused. After that it cannot be lost."""
    yield Begin()
    reason = (yield from once(routed.event, now)) or (yield from keep(routed, now))[1]
    yield Commit()
    return reason


def once(event: Event, now: int) -> Operation[str]:
    """Within an operation: remember an event; return `SEEN` if it was there before, else an empty string."""
    name = key_of(name_of(event))
    until, first = first_time((yield Read(ONCE, name)), now)
    if not first:
        return "SEEN"
    yield Write(ONCE, name, until, until=until)
    return ""


def keep(routed: Routed, now: int) -> Operation[tuple[str, str]]:
    """Within an operation: store an event for its agent; return its session, and the reason code if it is refused."""
    event = routed.event
    name = key_of(name_of(event))
    if (yield Read(HEARD, name)) is not None:  # its turn has waited for longer than events are remembered
        return "", "SEEN"
    message = key_of(message_name(event))
    held: Held | None = yield Read(MESSAGES, message)
    session, reason = belongs(event, routed.session, routed.speaker, held)
    if reason:
        return "", reason
    if held is None:  # a new message: others without `held` were refused
        yield Write(MESSAGES, message, Held(session, routed.speaker), until=now + MESSAGE_KEPT)
    turn = Turn(session, routed.agent, event.trace or event.event)
    first = yield from join(line_of(turn), name)
    yield Write(HEARD, name, event)
    yield Write(lane_of(turn), name, turn, now if first else None)
    return session, ""
