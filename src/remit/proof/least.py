"""The smallest manifest additions for some escapes: one entry for each capability, without redundant scopes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from remit.core.scope import Scope, covers
from remit.manifest.model import Permission
from remit.proof.outcome import Escape, whole_scopes


def least(escapes: Iterable[Escape]) -> tuple[Permission, ...]:
    """Return entries that allow all of these and nothing beyond their scopes. Each has the default decision of its
    capability's level.
    """
    found: dict[str, list[Scope]] = {}
    for item in escapes:
        found.setdefault(item.effect.capability, []).append(item.effect.scope)
    return tuple(Permission(name, _widest(whole_scopes(scopes))) for name, scopes in sorted(found.items()))


def _widest(scopes: Sequence[Scope]) -> tuple[Scope, ...]:
    """Return the scopes that do not lie inside another one."""
    kept: list[Scope] = []
    for scope in scopes:
        if not any(covers(other, scope) for other in kept):
            kept = [*(other for other in kept if not covers(scope, other)), scope]
    return tuple(kept)
