"""Events, kept: that one was heard, where, and that an agent is to hear it, are written together or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.ingress.about import Held, belongs
from remit.gateway.inbound.ingress.once import first_time, name_of
from remit.gateway.inbound.routing.message import Kind
from remit.gateway.inbound.stores.forms import key_of
from remit.gateway.inbound.stores.lines import join
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.turns.life import Turn, lane_of, line_of

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

ONCE, MESSAGES, HEARD = "once", "messages", "heard"
MESSAGE_KEPT = 90 * 24 * 3600  # seconds in which what is said about a message still finds it


class Routed(NamedTuple):
    """An event that passed the gate: who said it, which agent hears it, in which session if it is something new."""

    event: Event
    speaker: str
    agent: str
    session: str


def message_name(event: Event) -> tuple[str, ...]:
    """Under which a message is remembered: with the kind of its place, for a room may have the name of a person."""
    place = event.place
    return (
        place.channel,
        place.account,
        place.kind,
        place.room if place.kind is Kind.GROUP else place.peer,
        event.message,
    )


def accept(routed: Routed, now: int) -> Operation[str]:
    """Keep an event for its agent; the code of the reason if it is not kept. Once this returns, it is not lost."""
    yield Begin()
    reason = (yield from once(routed.event, now)) or (yield from keep(routed, now))[1]
    yield Commit()
    return reason


def once(event: Event, now: int) -> Operation[str]:
    """Within an operation: remember an event; whether it was there before."""
    name = key_of(name_of(event))
    until, first = first_time((yield Read(ONCE, name)), now)
    if not first:
        return "SEEN"
    yield Write(ONCE, name, until, until=until)
    return ""


def keep(routed: Routed, now: int) -> Operation[tuple[str, str]]:
    """Within an operation: keep an event for its agent; the session to which it belongs, or why it is not kept."""
    event = routed.event
    name = key_of(name_of(event))
    if (yield Read(HEARD, name)) is not None:  # it waits for longer than events are remembered
        return "", "SEEN"
    message = key_of(message_name(event))
    held: Held | None = yield Read(MESSAGES, message)
    session, reason = belongs(event, routed.session, routed.speaker, held)
    if reason:
        return "", reason
    if held is None:  # it is said: what is about a message that was never heard belongs nowhere
        yield Write(MESSAGES, message, Held(session, routed.speaker), until=now + MESSAGE_KEPT)
    turn = Turn(session, routed.agent, event.trace or event.event)
    first = yield from join(line_of(turn), name)
    yield Write(HEARD, name, event)
    yield Write(lane_of(turn), name, turn, now if first else None)
    return session, ""
