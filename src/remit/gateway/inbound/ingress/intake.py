"""Handling of an event from the gate to its agent, in one operation, so that one version of the settings applies
throughout.

(1) once      a repeated event is ignored
(2) gate      whether it is accepted (gate.py); an unknown person gets a pairing code and nothing else
(3) routing   its agent and session
(4) storing   it is on the disk before it is acknowledged to the platform
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.delivery.state_machine import Piece
from remit.gateway.inbound.delivery.store import queue
from remit.gateway.inbound.ingress.deduplication import name_of
from remit.gateway.inbound.ingress.gate import NOT_NAMED, Heard, pass_gate
from remit.gateway.inbound.ingress.store import Routed, keep, once
from remit.gateway.inbound.pairing.state_machine import Ask, Channel, Outcome, Rules, step
from remit.gateway.inbound.pairing.store import TABLE as PAIRING
from remit.gateway.inbound.room_history import remember
from remit.gateway.inbound.routing.agents import agent_of
from remit.gateway.inbound.routing.sessions import session_key
from remit.gateway.inbound.settings.values import MAIN, Settings
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.stores.serialization import key_of
from remit.gateway.inbound.turns.state_machine import COMMANDS
from remit.gateway.inbound.turns.store import back_to

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event

PAIRING_TEXT = "I do not know you yet. Tell this code to the one who runs me: {code}"


class Fate(NamedTuple):
    """The result for an event, and the reason code if it is refused."""

    heard: Heard
    reason: str = ""
    session: str = ""


def hear(settings: Settings, event: Event, code: str, now: int) -> Operation[Fate]:
    """Handle an event. `code`: a fresh pairing code, used if needed."""
    channel = settings.channels.get(event.place.channel)
    if channel is None:
        return Fate(Heard.DROPPED, "CHANNEL_UNKNOWN")
    yield Begin()
    people: Channel = (yield Read(PAIRING, event.place.channel)) or Channel()
    passage = pass_gate(channel.gate, people.allowed, event)
    fate = Fate(passage.heard, passage.reason)
    if passage.heard is Heard.PAIRING:
        fate = yield from _paired(channel.pairing, people, event, Ask(passage.speaker, code), now)
    elif passage.heard is not Heard.DROPPED:  # dropped events are not stored: unknown people cannot fill the disk
        routed = _routed(settings, event, passage.speaker, command=passage.heard is Heard.COMMAND)
        session, reason = "", (yield from once(event, now))
        if not reason:
            session, reason = yield from keep(routed, now)
        fate = Fate(Heard.DROPPED, reason) if reason else Fate(passage.heard, "", session)
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


def _paired(rules: Rules, people: Channel, event: Event, ask: Ask, now: int) -> Operation[Fate]:
    """Handle an unknown person's event. The code is sent once, however often the person writes."""
    after, outcome = step(rules, people, ask, now)
    if outcome is not Outcome.CODE_USED:  # otherwise another code is tried, and the event is not marked as seen
        if seen := (yield from once(event, now)):
            return Fate(Heard.DROPPED, seen)
        yield Write(PAIRING, event.place.channel, after)
    if outcome is Outcome.ASKED:
        piece = Piece("", back_to(event), PAIRING_TEXT.format(code=ask.code), event.trace or event.event)
        yield from queue(f"{key_of(name_of(event))}\x1fpairing", piece, now)
    return Fate(Heard.PAIRING, outcome)
