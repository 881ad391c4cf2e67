"""A witness of an escape: one path, host or name from a scope that a session could request and no entry grants.

An escaping scope contains something that no entry grants. Usually any new name is one; where entries grant parts of the
scope, several are tried. If none is found, the result is None, and messages name the whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    HOME,
    PLACES,
    ROOT,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
)
from remit.core.scope.component import STAR, escape, tokens
from remit.policy.entry_matches import declares

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.model import Permission

_WORDS = ("unforeseen", "a", "z", "0", "unforeseen.txt")  # for what a pattern leaves open
_PORT = 443


def witness(effect: Effect, granting: Iterable[Permission]) -> Scope | None:
    """Return something in the effect's scope that none of the entries grants, or None."""
    entries: Sequence[Permission] = tuple(granting)
    for scope in instances(effect.scope, vocabulary()[effect.capability].scope_kind):
        if not any(declares(entry, effect._replace(scope=scope)) for entry in entries):
            return scope
    return None


def instances(scope: Scope, kind: ScopeKind) -> Iterator[Scope]:
    """Yield single things in a scope. A caller chooses the value of a symbol, so it may be anything."""
    if isinstance(scope, AnyScope | SymbolScope):
        yield from _of_kind(kind)
    elif isinstance(scope, PathScope):
        places = (scope.anchor,) if scope.anchor in PLACES else (ROOT, HOME, WORKSPACE)
        for place in places:
            # a symbol alone may be a folder too, but no path is only its anchor
            parts = scope.parts or (() if scope.anchor in PLACES else ("*",))
            yield from (PathScope(place, found) for found in _paths(parts))
    elif isinstance(scope, NameScope):
        yield from (NameScope(found) for found in _names(scope.pattern))
    elif isinstance(scope, HostScope):
        host = scope.host.replace("*", _WORDS[0]) if scope.host != "*" else f"{_WORDS[0]}.example"
        yield HostScope(host, scope.port or _PORT)
    else:
        bound = scope.low if scope.low is not None else scope.high
        yield NumberScope(bound, bound)


def _of_kind(kind: ScopeKind) -> Iterator[Scope]:
    if kind is ScopeKind.PATH:
        yield from (PathScope(place, (_WORDS[0],)) for place in (ROOT, HOME, WORKSPACE))
    elif kind is ScopeKind.HOST:
        yield HostScope(f"{_WORDS[0]}.example", _PORT)
    elif kind is ScopeKind.NUMBER:
        yield from (NumberScope(number, number) for number in (1, 65_535, 1_000_000_007))
    elif kind is ScopeKind.NONE:
        yield ANY_SCOPE
    else:
        yield from map(NameScope, _WORDS)


def _paths(parts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for word in _WORDS:
        found = tuple(word if part == DEEP else _filled(part, word) for part in parts)
        yield found
        if found == tuple(parts):
            return


def _names(pattern: str) -> Iterator[str]:
    for word in _WORDS:
        found = _filled(pattern, word)
        yield found
        if found == pattern:
            return


def _filled(pattern: str, word: str) -> str:
    """Return a pattern with a word for each `*` and a letter for each `?`."""
    pieces = (token if isinstance(token, str) else word if token == STAR else word[0] for token in tokens(pattern))
    return escape("".join(pieces))
