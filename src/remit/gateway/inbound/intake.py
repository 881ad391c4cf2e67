"""Handling of an event from the gate to its agent, in one operation, so that one version of the settings applies
throughout: that an event was seen, its session, and its turn are written together or not at all.

(1) once      a repeated event is ignored
(2) gate      whether it is accepted (events.py); an unknown person gets a pairing code and nothing else
(3) routing   its agent and session
(4) storing   it is on the disk before it is acknowledged to the platform
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.delivery import Piece, queue
from remit.gateway.inbound.event_text import remember
from remit.gateway.inbound.events import NOT_NAMED, EventResult, MessageSession, belongs, first_time, name_of, pass_gate
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import Ask, ChannelPairings, Outcome, Rules, step
from remit.gateway.inbound.routing import ConversationKind, agent_of, session_key
from remit.gateway.inbound.settings.values import MAIN, Settings
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write, join
from remit.gateway.inbound.stores.serialization import key_of
from remit.gateway.inbound.turns import COMMANDS, HEARD, Turn, back_to, lane_of, line_of

if TYPE_CHECKING:
    from remit.gateway.inbound.events import Event


ONCE, MESSAGES = "once", "messages"
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
        place.room if place.kind is ConversationKind.GROUP else place.peer,
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
    held: MessageSession | None = yield Read(MESSAGES, message)
    session, reason = belongs(event, routed.session, routed.speaker, held)
    if reason:
        return "", reason
    if held is None:  # a new message: others without `held` were refused
        yield Write(MESSAGES, message, MessageSession(session, routed.speaker), until=now + MESSAGE_KEPT)
    turn = Turn(session, routed.agent, event.trace or event.event)
    first = yield from join(line_of(turn), name)
    yield Write(HEARD, name, event)
    yield Write(lane_of(turn), name, turn, now if first else None)
    return session, ""


PAIRING_TEXT = "I do not know you yet. Tell this code to the one who runs me: {code}"


class Fate(NamedTuple):
    """The result for an event, and the reason code if it is refused."""

    heard: EventResult
    reason: str = ""
    session: str = ""


def hear(settings: Settings, event: Event, code: str, now: int) -> Operation[Fate]:
    """Handle an event. `code`: a fresh pairing code, used if needed."""
    channel = settings.channels.get(event.place.channel)
    if channel is None:
        return Fate(EventResult.DROPPED, "CHANNEL_UNKNOWN")
    yield Begin()
    people: ChannelPairings = (yield Read(PAIRING, event.place.channel)) or ChannelPairings()
    passage = pass_gate(channel.gate, people.allowed, event)
    fate = Fate(passage.heard, passage.reason)
    if passage.heard is EventResult.PAIRING:
        fate = yield from _paired(channel.pairing, people, event, Ask(passage.speaker, code), now)
    elif passage.heard is not EventResult.DROPPED:  # dropped events are not stored: unknown people cannot fill the disk
        routed = _routed(settings, event, passage.speaker, command=passage.heard is EventResult.COMMAND)
        session, reason = "", (yield from once(event, now))
        if not reason:
            session, reason = yield from keep(routed, now)
        fate = Fate(EventResult.DROPPED, reason) if reason else Fate(passage.heard, "", session)
    elif passage.reason == NOT_NAMED:
        yield from remember(
            _routed(settings, event, passage.speaker, command=False).session, event, passage.speaker, now
        )
    yield Commit()
    return fate


def _routed(settings: Settings, event: Event, speaker: str, *, command: bool) -> Routed:
    place = event.place._replace(peer=speaker)
    agent = agent_of(settings.bindings, MAIN, place)
    session = session_key(settings.sessions, agent, place)
    return Routed(event, speaker, COMMANDS if command else agent, session)


def _paired(rules: Rules, people: ChannelPairings, event: Event, ask: Ask, now: int) -> Operation[Fate]:
    """Handle an unknown person's event. The code is sent once, however often the person writes."""
    after, outcome = step(rules, people, ask, now)
    if outcome is not Outcome.CODE_USED:  # otherwise another code is tried, and the event is not marked as seen
        if seen := (yield from once(event, now)):
            return Fate(EventResult.DROPPED, seen)
        yield Write(PAIRING, event.place.channel, after)
    if outcome is Outcome.ASKED:
        piece = Piece("", back_to(event), PAIRING_TEXT.format(code=ask.code), event.trace or event.event)
        yield from queue(f"{key_of(name_of(event))}\x1fpairing", piece, now)
    return Fate(EventResult.PAIRING, outcome)
