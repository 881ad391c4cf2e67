"""How broad a manifest is: its grants that name no limit. A proof that such a skill stays inside its manifest says little."""

from __future__ import annotations

from remit.capsule.verdict import units
from remit.core.capability import vocabulary
from remit.core.scope import DEEP, ROOT, AnyScope, HostScope, NameScope, NumberScope, PathScope, Scope, ScopeKind
from remit.manifest.model import Decision, Manifest


def unlimited_grants(manifest: Manifest) -> tuple[str, ...]:
    """Each capability that is granted, or asked about each time, on everything that it could act on."""
    found: dict[str, None] = {}
    for unit, entry in units(manifest):
        if vocabulary()[unit.capability].scope_kind is not ScopeKind.NONE and _is_everything(unit.scope):
            asked = " after a question" if entry.effect is Decision.CONFIRM else ""
            found.setdefault(f"{unit.capability} {unit.scope.render()}{asked}")
    return tuple(sorted(found))


def _is_everything(scope: Scope) -> bool:
    if isinstance(scope, PathScope):
        return scope.anchor == ROOT and scope.parts == (DEEP,)
    if isinstance(scope, HostScope):
        return scope.host == "*"
    if isinstance(scope, NameScope):
        return scope.pattern in ("*", DEEP)
    if isinstance(scope, NumberScope):
        return scope.high is None
    return isinstance(scope, AnyScope)
