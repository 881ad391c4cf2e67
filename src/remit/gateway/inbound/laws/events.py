"""Events that come in: each once, whole, in its own session."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from remit.gateway.inbound.ingress import once
from remit.gateway.inbound.ingress.gate import Heard, pass_gate, speaker_of
from remit.gateway.inbound.laws.law import Law
from remit.gateway.inbound.routing.agents import agent_of
from remit.gateway.inbound.routing.message import Kind, Place
from remit.gateway.inbound.routing.sessions import Scope, Sessions, session_key
from remit.gateway.inbound.settings.values import MAIN, Settings

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.event import Event
    from remit.gateway.inbound.turns.life import Turn

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
    """Until when an event is remembered: nothing is remembered anew while that lasts."""
    return before is None or before <= after - once.KEPT


def heard_once(before: Turn | None) -> bool:
    """What is known of an event that an agent is to hear."""
    return before is None


def kept_together(remembered: AbstractSet[str], heard: AbstractSet[str], turns: AbstractSet[str]) -> bool:
    """Names under which one operation remembers events, keeps what they are, and gives them to agents. Some are remembered alone."""
    return heard == turns and heard <= remembered


def own_trace(event: Event, turn: Turn) -> bool:
    """The trace of its own request."""
    return turn.trace == (event.trace or event.event)


def let_in(settings: Settings, allowed: frozenset[str], event: Event) -> bool:
    """Whether the gate lets it through. `allowed`: who was let in on its channel."""
    channel = settings.channels.get(event.place.channel)
    return channel is not None and pass_gate(channel.gate, allowed, event).heard in (Heard.HEARD, Heard.COMMAND)


def in_its_session(settings: Settings, event: Event, turn: Turn, commands: str) -> bool:
    """By whom something new is heard, and where. `commands`: what hears commands in the place of an agent."""
    place = event.place._replace(peer=speaker_of(event))
    agent = agent_of(settings.bindings, MAIN, place)
    return turn.agent in (agent, commands) and turn.session == session_key(settings.sessions, agent, place)


def may_share(sessions: Sessions, one: Place, other: Place) -> bool:
    """Whether two may be in one session: the same, or linked where both channels let that count, or all in one; in a group, all of it."""
    if Kind.GROUP in (one.kind, other.kind):
        return one[:3] == other[:3] and (one.room, one.thread) == (other.room, other.thread)
    if one.identity == other.identity:
        return True
    scopes = {sessions.scope_of(place.channel) for place in (one, other)}
    if Scope.MAIN in scopes:
        return scopes == {Scope.MAIN}
    consent = scopes == {Scope.PEER} and not sessions.unlinked & {one.channel, other.channel}
    return consent and other.identity in sessions.links.person(one.identity)
