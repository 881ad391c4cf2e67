"""Comparison of the entries of two manifests: those of one that no entry of the other contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE, Scope, ScopeKind, covers, parse_scope

if TYPE_CHECKING:
    from remit.manifest.drift.model import Trait

_WORDS = {"allow": "allowed", "confirm": "allowed after asking", "deny": "denied", "": "allowed, or asked for by level"}
# an entry with the key's effect is also implied by an entry with one of these effects
_SAID_BY = {"allow": ("allow",), "confirm": ("allow", "confirm"), "": ("allow", ""), "deny": ("deny",)}


def new_entries(old: Sequence[Trait], new: Sequence[Trait]) -> Iterator[tuple[Trait, str]]:
    """Return entries that grant something which no entry of the old manifest does, with a note."""
    for entry in new:
        if not any(_says(one, entry) for one in old):
            yield entry, _WORDS[entry.origin]


def _says(old: Trait, new: Trait) -> bool:
    """Whether the old entry includes all of the new one, under the same conditions."""
    if old.mark != new.mark or old.origin not in _SAID_BY[new.origin]:
        return False
    wide, narrow = (set(vocabulary().expand(entry.subject)) for entry in (old, new))
    if not narrow <= wide:
        return False
    return all(any(covers(have, want) for have in scopes_of(old)) for want in scopes_of(new))


def scopes_of(entry: Trait) -> list[Scope]:
    """Return the scopes of an entry; its capability may be a pattern, whose capabilities then share one kind of scope."""
    kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(entry.subject)}
    kinds = kinds - {ScopeKind.NONE} or kinds
    return [ANY_SCOPE if text == "any" else parse_scope(min(kinds), text) for text in entry.scopes]
