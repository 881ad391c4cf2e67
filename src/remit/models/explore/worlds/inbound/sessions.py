"""Model of session keys (`gateway/inbound/routing.py`): all scopes, links and pairs of locations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from remit.gateway.inbound import laws, routing
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Identity, Scope, Sessions, linked
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, subsets, was_asked

_A, _B, _C = Identity("mail", "ann"), Identity("chat", "ann"), Identity("chat", "a/n")
_LINKED = ((), ((_A, _B),), ((_A, _C),), ((_A, _B), (_C, _B)))


class SessionSettings(NamedTuple):
    """Sessions' settings as values that can be compared: scope for all, scopes by channel, links, channels without links."""

    scope: Scope
    scopes: tuple[tuple[str, Scope], ...]
    links: tuple[tuple[Identity, Identity], ...]
    unlinked: frozenset[str]


class Keys(NamedTuple):
    """The keys of two places, and how many keys all who speak in direct have together."""

    first: str
    second: str
    all: int


_CHOICES = [(), *(((channel, scope),) for channel in ("mail", "chat") for scope in Scope)]
_SETTINGS = every(SessionSettings, scope=Scope, scopes=_CHOICES, links=_LINKED, unlinked=subsets(("mail", "chat")))
_DIRECT = tuple(
    ChatAddress(who.channel, "us", ConversationKind.DIRECT, who.peer, thread=thread)
    for who in (_A, _B, _C)
    for thread in ("", "t")
)
_GROUP = (
    ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "hall"), ChatAddress("chat", "us", ConversationKind.GROUP, "a/n", "hall"), ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "hall", "t"),
    ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "hall/thread/t"), ChatAddress("chat", "me", ConversationKind.GROUP, "ann", "hall"),
)  # fmt: skip
_PAIRS = tuple(product(_DIRECT, _DIRECT)) + tuple(product(_GROUP, _GROUP)) + tuple(product(_DIRECT[:2], _GROUP))


def _made(settings: SessionSettings) -> Sessions:
    return Sessions(settings.scope, dict(settings.scopes), linked(settings.links), settings.unlinked)


def _answers(settings: SessionSettings) -> Iterator[tuple[Any, Keys]]:
    made = _made(settings)
    first, second = (
        {place: routing.session_key(made, "agent", place) for place in (*_DIRECT, *_GROUP)} for _ in range(2)
    )
    many = len({keys[place] for keys in (first, second) for place in _DIRECT if not place.thread})
    for pair in _PAIRS:
        yield pair, Keys(first[pair[0]], second[pair[1]], many)


def _scope(case: Case, place: ChatAddress) -> Scope:
    scopes: Mapping[str, Scope] = dict(case.settings.scopes)
    return scopes.get(place.channel, case.settings.scope)


def _direct(case: Case) -> bool:
    return was_asked(case) and all(place.kind is ConversationKind.DIRECT and not place.thread for place in case.asked)


def _two(case: Case) -> bool:
    return _direct(case) and case.asked[0].identity != case.asked[1].identity


def _linked(case: Case) -> bool:
    """Whether links say that both are one person: the pairs are few enough to look at them one after the other."""
    found = {case.asked[0].identity}
    for _ in case.settings.links:
        found |= {one for pair in case.settings.links if found & set(pair) for one in pair}
    return case.asked[1].identity in found


def _consent(case: Case) -> bool:
    return all(
        _scope(case, place) is Scope.PEER and place.channel not in case.settings.unlinked for place in case.asked
    )


def _main(case: Case) -> bool:
    return any(_scope(case, place) is Scope.MAIN for place in case.asked)


def _same(case: Case) -> bool:
    return bool(case.answer.first == case.answer.second)


def _groups(case: Case) -> bool:
    return was_asked(case) and all(place.kind is ConversationKind.GROUP for place in case.asked)


def _room(place: ChatAddress) -> tuple[str, ...]:
    return place.channel, place.account, place.room, place.thread


def _is_thread(case: Case) -> bool:
    return was_asked(case) and not case.asked[0].thread and case.asked[1] == case.asked[0]._replace(thread="t")


_INVARIANTS = (
    Invariant("isolation", "two people who are not linked never share a session, unless the settings put all into one",
              lambda case: _two(case) and not _linked(case) and not _main(case),
              lambda case: not _same(case) or laws.may_share(_made(case.settings), *case.asked)),
    Invariant("links-join", "linked people share their sessions if both channels separate people by person and take part in links",
              lambda case: _two(case) and _linked(case) and _consent(case), _same),
    Invariant("both-channels-consent", "links join no sessions across a channel that takes no part in links or keeps channels apart",
              lambda case: _two(case) and _linked(case) and not _consent(case) and not _main(case), lambda case: not _same(case)),
    Invariant("channel-goes-first", "the setting of a channel overrides the setting for all channels",
              lambda case: _direct(case) and bool(case.settings.scopes),
              lambda case: (case.answer.first == "agent/main") == (_scope(case, case.asked[0]) is Scope.MAIN)),
    Invariant("threads-lie-in-their-parent", "the key of a thread is the key of its parent, followed by the name of the thread", _is_thread,
              lambda case: case.answer.second == case.answer.first + "/thread/t"),
    Invariant("rooms-apart", "two people share a session of a group only in the same room, account and thread", _groups,
              lambda case: _same(case) == (_room(case.asked[0]) == _room(case.asked[1]))),
    Invariant("direct-is-no-group", "a direct conversation never shares a session with a group",
              lambda case: was_asked(case) and {place.kind for place in case.asked} == set(ConversationKind), lambda case: not _same(case)),
    Invariant("stable", "messages of the same sender in the same conversation are in the same session",
              lambda case: was_asked(case) and case.asked[0] == case.asked[1], _same),
    Invariant("no-more-sessions-than-people", "there are no more direct sessions than people", _direct, lambda case: case.answer.all <= 3),
    Invariant("names-are-not-parts", "a name that looks like several parts of a key is one part",
              lambda case: _direct(case) and case.asked[0].peer == "a/n" and _scope(case, case.asked[0]) is Scope.CHANNEL_PEER,
              lambda case: case.answer.first.count("/") == 4),
)  # fmt: skip


def _place(**changed: Any) -> Callable[..., Any]:
    return lambda real: lambda known, agent, place: real(known, agent, place._replace(**changed))


def _scoped(scope: Scope) -> Callable[..., Any]:
    """Keys by one scope, whatever the settings say."""
    return lambda real: lambda known, place: real(known._replace(scope=scope, scopes={}), place)


def _numbered(real: Callable[..., Any]) -> Callable[..., Any]:
    count = iter(range(1_000_000))
    return lambda known, agent, place: real(known, agent, place._replace(account=f"{next(count)}"))


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("leaves out who speaks", "isolation", Patch(routing, "session_key", _place(peer="someone"))),
        Mutant("leaves out the channel", "isolation", Patch(routing, "person", lambda real: lambda known, who: real(known, who)._replace(channel="any"))),
        Mutant("knows no links", "links-join", Patch(routing, "person", lambda _: lambda _, who: who)),
        Mutant("asks no channel for its consent", "both-channels-consent", Patch(routing, "person",
            lambda real: lambda known, identity: min(known.links.person(identity)) if known.links else real(known, identity))),
        Mutant("lets links count everywhere", "both-channels-consent", Patch(routing, "_joins", lambda _: lambda *_: True)),
        Mutant("looks at the scope for all alone", "channel-goes-first",
            Patch(routing, "_direct", lambda real: lambda known, place: real(known._replace(scopes={}), place))),
        Mutant("keeps threads apart from what they are in", "threads-lie-in-their-parent", Patch(routing, "session_key",
            lambda real: lambda known, agent, place: f"{agent}/thread/{place.thread}" if place.thread else real(known, agent, place))),
        Mutant("leaves out the thread", "threads-lie-in-their-parent", Patch(routing, "session_key", _place(thread=""))),
        Mutant("leaves out the account", "rooms-apart", Patch(routing, "session_key", _place(account="us"))),
        Mutant("writes names as they are", "rooms-apart", Patch(routing, "_quoted", lambda _: lambda part: part)),
        Mutant("takes a group for a person", "direct-is-no-group", Patch(routing, "session_key",
            lambda real: lambda known, agent, place: real(known, agent, place._replace(kind=ConversationKind.DIRECT)))),
        Mutant("makes a new key for each message", "stable", Patch(routing, "session_key", _numbered)),
        Mutant("makes a new session for each message", "no-more-sessions-than-people", Patch(routing, "session_key", _numbered)),
        Mutant("writes a slash as it is", "names-are-not-parts", Patch(routing, "_quoted", lambda _: lambda part: part)),
    )  # fmt: skip
    return model_of(
        "sessions", "two people share a session only if the settings say so; a session key identifies exactly the parts that it was made from",
        _SETTINGS, ("speak at two places", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
