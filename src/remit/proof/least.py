"""The least that a manifest would have to say for what escapes it: one entry for a capability, and no scope that another holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from remit.core.scope import Scope, covers
from remit.manifest.model import Permission
from remit.proof.outcome import Escape, whole_scopes


def least(escapes: Iterable[Escape]) -> tuple[Permission, ...]:
    """Entries that would allow all of these and, beyond their scopes, nothing. Each decides as the level of its capability does."""
    found: dict[str, list[Scope]] = {}
    for item in escapes:
        found.setdefault(item.effect.capability, []).append(item.effect.scope)
    return tuple(Permission(name, _widest(whole_scopes(scopes))) for name, scopes in sorted(found.items()))


def _widest(scopes: Sequence[Scope]) -> tuple[Scope, ...]:
    """Without those that lie inside of another."""
    kept: list[Scope] = []
    for scope in scopes:
        if not any(covers(other, scope) for other in kept):
            kept = [*(other for other in kept if not covers(scope, other)), scope]
    return tuple(kept)
