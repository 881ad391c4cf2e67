"""The breadth of a manifest: its grants without a limit. For such a skill, a proof of containment means little."""

from __future__ import annotations

from remit.capsule.verdict import units
from remit.core.capability import vocabulary
from remit.core.scope import DEEP, ROOT, AnyScope, HostScope, NameScope, NumberScope, PathScope, Scope, ScopeKind
from remit.manifest.model import Decision, Manifest


def unlimited_grants(manifest: Manifest) -> tuple[str, ...]:
    """Return each capability that is granted, or asked about each time, on everything it could act on."""
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
