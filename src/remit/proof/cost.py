"""The estimated cost of a comparison, checked before it starts.

Two scopes without wildcards are compared in microseconds; the time for two patterns grows with about the square of the product of
their wildcards. An author of both manifest and skill could make a check endless, so the sum is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError
from remit.core.scope import DEEP, NameScope, PathScope, Scope

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.model import Manifest, Permission

LIMIT = 10_000_000  # a minute or two; a thousand scopes against a hundred ordinary globs are a twentieth of it


def refuse_endless(effects: Sequence[Effect], manifest: Manifest) -> None:
    """ManifestError if effects and entries are too many, or too intricate, to be compared."""
    if cost({effect.scope for effect in effects}, manifest.permissions) > LIMIT:
        message = f"{manifest.file}: its scopes and those of the skill are too many, or too intricate, to be compared"
        raise ManifestError(message, "use fewer entries, and scopes with fewer wildcards")


def cost(scopes: Iterable[Scope], entries: Iterable[Permission]) -> int:
    """Return the cost of comparing each scope with each entry, in units of the comparison of two plain paths."""
    asked = _wildcards(scopes)
    held = _wildcards(scope for entry in entries for scope in (*entry.scopes, *entry.constraints.resource_scope))
    return sum(_pair(left, right) * asked[left] * held[right] for left in asked for right in held)


def _pair(left: int, right: int) -> int:
    """Return the cost of one comparison in these units. Ordinary globs have one or two wildcards."""
    product = left * right
    return 1 + product if product <= 4 else 4 * product**2


def _wildcards(scopes: Iterable[Scope]) -> Counter[int]:
    """Count the scopes by their number of wildcards."""
    return Counter(map(_count, scopes))


def _count(scope: Scope) -> int:
    parts = scope.parts if isinstance(scope, PathScope) else (scope.pattern,) if isinstance(scope, NameScope) else ()
    return sum(1 if part == DEEP else part.count("*") + part.count("?") for part in parts)
