"""Index of everything that passed through the hooks, by token: the origin of words that name destinations, and tracked
values.

An index is a value; `note` returns a larger one. It is bounded: of each source the first tokens are kept, so that what
a user said is never displaced by what came later, and a limited number of values is tracked. What no longer fits makes
the guard ask more, never less.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from remit.guard.session.followed_values import MOST, FollowedValues, follow, pieces_of, values_of
from remit.guard.session.layered_map import LayeredMap
from remit.guard.session.tokens import Token, TokenKind, phrases, tokens

MOST_TOKENS = 200_000  # of one source
MOST_SOURCES = 200  # beyond these, sources of one kind are no longer distinguished
READ = 30_000  # characters of a text that names nothing by itself: what it says only explains an answer


class AuthorKind(StrEnum):
    """The author of a text."""

    USER = "user"  # prompts, and nothing else
    MANIFEST = "manifest"
    WORKSPACE = "workspace"  # its configuration when the session began: remotes of git, package.json, .remit
    SKILL = "skill"
    TOOL = "tool"  # what a tool returned
    SECRET = "secret"  # noqa: S105  a kind of text
    HELD = "held"  # what was read by the right of one skill alone; the name is that skill's


# Only a person, or what a person approved, can say where things may go.
NAMING = frozenset({AuthorKind.USER, AuthorKind.MANIFEST, AuthorKind.WORKSPACE})


class Source(NamedTuple):
    """One source: its kind, and which one (a skill, a tool, a path)."""

    kind: AuthorKind
    name: str = ""


class Index(NamedTuple):
    """What is known of a session's texts."""

    followed: FollowedValues
    home: str = ""
    known: tuple[tuple[Source, LayeredMap[Token, bool]], ...] = ()
    cut: bool = False  # words of a skill are missing: nothing is then known to be the agent's own idea


def empty(key: bytes, home: str = "") -> Index:
    """Return the index of a new session. `key`: 32 random bytes of this session, which never leave the process."""
    if len(key) < 16:
        raise ValueError("a key has at least 16 bytes")
    return Index(FollowedValues(key), home)


def note(index: Index, text: str, source: Source) -> Index:
    """Return the index with a text from a source added."""
    if source.kind in (AuthorKind.SECRET, AuthorKind.HELD):
        values = tuple(values_of(text, secret=source.kind is AuthorKind.SECRET))
        followed = follow(index.followed, values, source)
        if source.kind is AuthorKind.SECRET:  # pieces take only the room that whole values leave
            followed = follow(followed, islice(pieces_of(values), max(0, MOST // 2 - followed.held)), source)
        index = index._replace(followed=followed)
    if source.kind in (AuthorKind.SECRET, AuthorKind.HELD):
        return index  # none of it is kept in clear text
    if source.kind is AuthorKind.SKILL:
        return note_tokens(index, chain(tokens(text, index.home), phrases(text)), source)
    read = text if source.kind in NAMING else text[:READ]
    return note_tokens(index, tokens(read, index.home), source)


def note_tokens(index: Index, found: Iterable[Token], source: Source) -> Index:
    """Return the index with tokens from a source added."""
    place = _place(index, source)
    before = index.known[place][1] if place < len(index.known) else LayeredMap[Token, bool]()
    named = source if place == len(index.known) else index.known[place][0]
    room = MOST_TOKENS - before.size
    new: dict[Token, bool] = {}
    cut = False
    for token in found:
        if len(new) >= room:
            cut = source.kind is AuthorKind.SKILL
            break
        if not before.get(token):
            new[token] = True
    known = (*index.known[:place], (named, before.plus(new)), *index.known[place + 1 :])
    return index._replace(known=known, cut=index.cut or cut)


def _place(index: Index, source: Source) -> int:
    """Return where the tokens of a source are kept."""
    for place, (known, _) in enumerate(index.known):
        if known == source:
            return place
    if len(index.known) >= MOST_SOURCES:
        for place, (known, _) in enumerate(index.known):
            if known.kind is source.kind:
                return place
    return len(index.known)


def origins(index: Index, token: Token) -> frozenset[Source]:
    """Return the sources that name a token; for a path also a folder above it, for a host also a manifest's pattern
    that covers it.
    """
    return frozenset(
        source
        for source, layer in index.known
        if any(layer.get(form) for form in _forms(token, patterns=source.kind is AuthorKind.MANIFEST))
    )


def _forms(token: Token, *, patterns: bool) -> list[Token]:
    """Return the tokens that stand for a token."""
    if token.sort is TokenKind.PATH:
        parts = token.value.strip("/").split("/")
        root = "/" if token.value.startswith("/") else ""
        return [Token(TokenKind.PATH, root + "/".join(parts[:count])) for count in range(1, len(parts) + 1)]
    if token.sort is TokenKind.HOST and patterns:
        labels = token.value.split(".")
        above = [Token(TokenKind.HOST, "*." + ".".join(labels[at:])) for at in range(1, len(labels))]
        return [token, *above]
    return [token]


def is_named(index: Index, token: Token, whose: Container[str] | None = None) -> bool:
    """Whether the user, the manifest or the workspace's configuration names a token.

    `whose` are the skills whose manifests count; None: all. A manifest says where its own skill may send things, not
    where another may.
    """
    return any(
        source.kind in NAMING and (whose is None or source.kind is not AuthorKind.MANIFEST or source.name in whose)
        for source in origins(index, token)
    )
