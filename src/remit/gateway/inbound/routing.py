"""Routing of a message: its place, the agent that serves it, and the key of its conversation.

Two people share a session only if the settings say so:

    direct, scope main                agent/main
    direct, scope per-peer            agent/direct/channel/peer     of the person's least identity, where links count
    direct, scope per-channel-peer    agent/direct/channel/account/peer
    group                             agent/group/channel/account/room
    in a thread                       the key of the conversation, then /thread/name

Parts are quoted, so that different parts always give different keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote


class ConversationKind(StrEnum):
    """The kind of conversation."""

    DIRECT = "direct"
    GROUP = "group"


class Identity(NamedTuple):
    """A user of a platform. The same id on another channel is another user, unless they are linked."""

    channel: str
    peer: str


class ChatAddress(NamedTuple):
    """Where a message was sent: channel, our account there, person or room, and thread."""

    channel: str
    account: str
    kind: ConversationKind
    peer: str  # the speaker
    room: str = ""  # of a group
    thread: str = ""

    @property
    def identity(self) -> Identity:
        """The speaker."""
        return Identity(self.channel, self.peer)


ANY = "*"


class Binding(NamedTuple):
    """An agent and the places that it serves. `*` is anything; other values match exactly."""

    agent: str
    channel: str = ANY
    account: str = ANY
    room: str = ANY  # of a group
    peer: str = ANY

    def fits(self, place: ChatAddress) -> bool:
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


def agent_of(bindings: tuple[Binding, ...], default: str, place: ChatAddress) -> str:
    """Return the agent for a place."""
    fitting = [one for one in bindings if one.fits(place)]
    return max(fitting, key=lambda one: one.weight).agent if fitting else default


class Links(NamedTuple):
    """Disjoint classes of at least two identities; members and classes are sorted."""

    classes: tuple[tuple[Identity, ...], ...] = ()

    def person(self, identity: Identity) -> tuple[Identity, ...]:
        """Return all identities of the same person, sorted; just this one if it has no links."""
        return next((found for found in self.classes if identity in found), (identity,))


def linked(pairs: Iterable[tuple[Identity, Identity]]) -> Links:
    """Return the smallest classes that join all pairs."""
    found: list[set[Identity]] = []
    for pair in pairs:
        met = [one for one in found if not one.isdisjoint(pair)]
        found = [one for one in found if one.isdisjoint(pair)] + [set(pair).union(*met)]
    return Links(tuple(sorted(tuple(sorted(one)) for one in found if len(one) > 1)))


class Scope(StrEnum):
    """How direct conversations are separated."""

    MAIN = "main"  # all in one session: for a single user
    PEER = "per-peer"
    CHANNEL_PEER = "per-channel-peer"


class Sessions(NamedTuple):
    """The settings."""

    scope: Scope = Scope.CHANNEL_PEER
    scopes: Mapping[str, Scope] = MappingProxyType({})  # by channel; overrides `scope`
    links: Links = Links()
    unlinked: frozenset[str] = frozenset()  # channels without links

    def scope_of(self, channel: str) -> Scope:
        """Return the scope of direct conversations on a channel."""
        return self.scopes.get(channel, self.scope)


def session_key(sessions: Sessions, agent: str, place: ChatAddress) -> str:
    """Return the session key of a place."""
    parts = (
        _direct(sessions, place)
        if place.kind is ConversationKind.DIRECT
        else ("group", place.channel, place.account, place.room)
    )
    thread = ("thread", place.thread) if place.thread else ()
    return "/".join(map(_quoted, (agent, *parts, *thread)))


@lru_cache(maxsize=4096)
def _quoted(part: str) -> str:
    """Quote a part; cached, because the same people write again and again."""
    return quote(part, safe="", errors="surrogatepass")


def _direct(sessions: Sessions, place: ChatAddress) -> tuple[str, ...]:
    match sessions.scope_of(place.channel):
        case Scope.MAIN:
            return ("main",)
        case Scope.PEER:
            return ("direct", *person(sessions, place.identity))
        case Scope.CHANNEL_PEER:
            return ("direct", place.channel, place.account, place.peer)


def person(sessions: Sessions, identity: Identity) -> Identity:
    """Return the least linked identity, among channels with scope per-peer whose links count."""
    if not _joins(sessions, identity.channel):
        return identity
    return min(one for one in sessions.links.person(identity) if _joins(sessions, one.channel))


def _joins(sessions: Sessions, channel: str) -> bool:
    return channel not in sessions.unlinked and sessions.scope_of(channel) is Scope.PEER
