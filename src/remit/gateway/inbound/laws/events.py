"""Laws of incoming events: each is accepted once, whole, in its own session."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from remit.gateway.inbound.ingress import deduplication
from remit.gateway.inbound.ingress.gate import Heard, pass_gate, speaker_of
from remit.gateway.inbound.laws.law import Law
from remit.gateway.inbound.routing.agents import agent_of
from remit.gateway.inbound.routing.message import Kind, Place
from remit.gateway.inbound.routing.sessions import Scope, Sessions, session_key
from remit.gateway.inbound.settings.values import MAIN, Settings

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event
    from remit.gateway.inbound.turns.state_machine import Turn

ONCE = Law("ingress.once", "an agent hears of an event once, however often it is sent and to whom")
WHOLE = Law(
    "ingress.all-or-nothing", "that an event was there, what it is and that an agent is to hear it are kept together"
)
OWN_TRACE = Law(
    "ingress.parts-keep-their-trace", "each part of a request is heard with its own content, trace and session"
)
PAIRED_FIRST = Law("hearing.paired-first", "nobody is heard whom the operator did not let in")
IN_ITS_SESSION = Law("hearing.in-its-session", "who is heard is heard by its agent, in its own session")
ISOLATION = Law(
    "sessions.isolation", "two who are not linked never share a session, unless the settings put all into one"
)


def remembered_once(before: int | None, after: int) -> bool:
    """Return whether an event is not remembered anew before its time is over."""
    return before is None or before <= after - deduplication.KEPT


def heard_once(before: Turn | None) -> bool:
    """Return whether the event had no turn before."""
    return before is None


def kept_together(remembered: AbstractSet[str], heard: AbstractSet[str], turns: AbstractSet[str]) -> bool:
    """Return whether an operation stores events together with their turns and remembers them.

    Some are only remembered.
    """
    return heard == turns and heard <= remembered


def own_trace(event: Event, turn: Turn) -> bool:
    """Return whether a turn has the trace of its own event."""
    return turn.trace == (event.trace or event.event)


def let_in(settings: Settings, allowed: frozenset[str], event: Event) -> bool:
    """Return whether the gate accepts an event. `allowed`: ids paired on its channel."""
    channel = settings.channels.get(event.place.channel)
    return channel is not None and pass_gate(channel.gate, allowed, event).heard in (Heard.HEARD, Heard.COMMAND)


def in_its_session(settings: Settings, event: Event, turn: Turn, commands: str) -> bool:
    """Return whether a new message has the right agent and session. `commands`: the agent name for commands."""
    place = event.place._replace(peer=speaker_of(event))
    agent = agent_of(settings.bindings, MAIN, place)
    return turn.agent in (agent, commands) and turn.session == session_key(settings.sessions, agent, place)


def may_share(sessions: Sessions, one: Place, other: Place) -> bool:
    """Return whether two speakers may share a session.

    They must be the same person, or linked where both channels allow it, or the settings put all into one; a group's
    session is shared by the group.
    """
    if Kind.GROUP in (one.kind, other.kind):
        return one[:3] == other[:3] and (one.room, one.thread) == (other.room, other.thread)
    if one.identity == other.identity:
        return True
    scopes = {sessions.scope_of(place.channel) for place in (one, other)}
    if Scope.MAIN in scopes:
        return scopes == {Scope.MAIN}
    consent = scopes == {Scope.PEER} and not sessions.unlinked & {one.channel, other.channel}
    return consent and other.identity in sessions.links.person(one.identity)
