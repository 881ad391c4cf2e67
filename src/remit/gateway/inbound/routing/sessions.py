"""Session key: identifies the conversation of a message. Two people share a session only if the settings say so.

    direct, scope main                agent/main
    direct, scope per-peer            agent/direct/channel/peer     of the person's least identity, where links count
    direct, scope per-channel-peer    agent/direct/channel/account/peer
    group                             agent/group/channel/account/room
    in a thread                       the key of the conversation, then /thread/name

Parts are quoted, so that different parts always give different keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

from remit.gateway.inbound.routing.links import Links
from remit.gateway.inbound.routing.message import Identity, Kind, Place


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


def session_key(sessions: Sessions, agent: str, place: Place) -> str:
    """Return the session key of a place."""
    parts = (
        _direct(sessions, place) if place.kind is Kind.DIRECT else ("group", place.channel, place.account, place.room)
    )
    thread = ("thread", place.thread) if place.thread else ()
    return "/".join(map(_quoted, (agent, *parts, *thread)))


@lru_cache(maxsize=4096)
def _quoted(part: str) -> str:
    """Quote a part; cached, because the same people write again and again."""
    return quote(part, safe="", errors="surrogatepass")


def _direct(sessions: Sessions, place: Place) -> tuple[str, ...]:
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
