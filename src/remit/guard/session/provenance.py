"""What passed through the hooks, by token: where a word that names a destination came from, and which values must not leave.

An index is a value; `note` gives a larger one. It is bounded: of each source so many tokens are kept, the first ones, so that what
a user said is never forgotten for what came later, and so many values are followed. What no longer fits makes the guard ask
more, never less.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import islice
from typing import NamedTuple

from remit.guard.session.followed_values import MOST, FollowedValues, follow, pieces_of, values_of
from remit.guard.session.layered_map import LayeredMap
from remit.guard.session.source import NAMING, Kind, Source
from remit.guard.session.tokens import Sort, Token, tokens

MOST_TOKENS = 200_000  # of one source
MOST_SOURCES = 200  # past them, sources of one kind are told apart no more
READ = 30_000  # characters of a text that names nothing by itself: what it says only explains an answer


class Index(NamedTuple):
    """What is known of a session's texts."""

    followed: FollowedValues
    home: str = ""
    known: tuple[tuple[Source, LayeredMap[Token, bool]], ...] = ()


def empty(key: bytes, home: str = "") -> Index:
    """The index of a session that begins. `key`: 32 random bytes of this session, which leave no process."""
    if len(key) < 16:
        raise ValueError("a key has at least 16 bytes")
    return Index(FollowedValues(key), home)


def note(index: Index, text: str, source: Source) -> Index:
    """The index after a text came from a source."""
    if source.kind in (Kind.SECRET, Kind.HELD):
        values = tuple(values_of(text, secret=source.kind is Kind.SECRET))
        followed = follow(index.followed, values, source)
        if source.kind is Kind.SECRET:  # pieces take only room that whole values leave
            followed = follow(followed, islice(pieces_of(values), max(0, MOST // 2 - followed.held)), source)
        index = index._replace(followed=followed)
    if source.kind in (Kind.SECRET, Kind.HELD):
        return index  # nothing of it is kept in clear
    read = text if source.kind in NAMING else text[:READ]
    return note_tokens(index, tokens(read, index.home), source)


def note_tokens(index: Index, found: Iterable[Token], source: Source) -> Index:
    """The index after a source named these tokens."""
    place = _place(index, source)
    before = index.known[place][1] if place < len(index.known) else LayeredMap[Token, bool]()
    named = source if place == len(index.known) else index.known[place][0]
    room = MOST_TOKENS - before.size
    new: dict[Token, bool] = {}
    for token in found:
        if len(new) >= room:
            break
        if not before.get(token):
            new[token] = True
    known = (*index.known[:place], (named, before.plus(new)), *index.known[place + 1 :])
    return index._replace(known=known)


def _place(index: Index, source: Source) -> int:
    """Where the tokens of a source are kept."""
    for place, (known, _) in enumerate(index.known):
        if known == source:
            return place
    if len(index.known) >= MOST_SOURCES:
        for place, (known, _) in enumerate(index.known):
            if known.kind is source.kind:
                return place
    return len(index.known)


def origins(index: Index, token: Token) -> frozenset[Source]:
    """The sources that name a token, or for a path a folder above it, or for a host a pattern in a manifest that covers it."""
    return frozenset(
        source
        for source, layer in index.known
        if any(layer.get(form) for form in _forms(token, patterns=source.kind is Kind.MANIFEST))
    )


def _forms(token: Token, *, patterns: bool) -> list[Token]:
    """The tokens that stand for a token."""
    if token.sort is Sort.PATH:
        parts = token.value.strip("/").split("/")
        root = "/" if token.value.startswith("/") else ""
        return [Token(Sort.PATH, root + "/".join(parts[:count])) for count in range(1, len(parts) + 1)]
    if token.sort is Sort.HOST and patterns:
        labels = token.value.split(".")
        above = [Token(Sort.HOST, "*." + ".".join(labels[at:])) for at in range(1, len(labels))]
        return [token, *above]
    return [token]


def is_named(index: Index, token: Token, whose: Container[str] | None = None) -> bool:
    """Whether the user, the manifest or the workspace's configuration names a token.

    `whose` are the skills whose manifests count; None: all. A manifest says where its own skill may send things, not another one.
    """
    return any(
        source.kind in NAMING and (whose is None or source.kind is not Kind.MANIFEST or source.name in whose)
        for source in origins(index, token)
    )
