"""Matching of manifest entries with effects: grants that cover an effect, and denials that cover or may touch it.

Whether something *holds* a whole effect must be certain, so it is compared as written. Whether a denial can *meet* an effect
must not depend on a spelling, so names are compared as the most forgiving file system compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from remit.core.capability import matches, vocabulary
from remit.core.scope import DEEP, WORKSPACE, AnyScope, NameScope, PathScope, Scope, covers, overlaps
from remit.core.sensitive import fold, variable_of
from remit.core.source import as_source

if TYPE_CHECKING:
    from remit.manifest.model import Decision, Permission

_INSIDE = PathScope(WORKSPACE, (DEEP,))
BOUND = "<arg>"  # the guard binds what a caller passes, to the workspace where an entry asks for it


class Act(Protocol):
    """An effect before a run, or a request at run time."""

    @property
    def capability(self) -> str: ...  # noqa: D102
    @property
    def scope(self) -> Scope: ...  # noqa: D102


def stands_for(entry: Permission, effect: Act) -> str | None:
    """Return the name under which an entry covers an effect: its own, or `source.X` where it is certainly source code."""
    if matches(entry.capability, effect.capability):
        return effect.capability
    source = as_source(effect.capability, effect.scope)
    return source if source and matches(entry.capability, source) else None


def granted_as(entry: Permission, effect: Act) -> str | None:
    """Return the name under which an entry that does not deny covers an effect.

    An entry `source.X` with a scope says that what lies there is source code, so that it grants `file.X` in it. A denial says
    no such thing: one of `source.write` in a folder leaves the folder's other files alone.
    """
    name = stands_for(entry, effect)
    if name or not effect.capability.startswith("file."):
        return name
    source = "source." + effect.capability.removeprefix("file.")
    if source not in vocabulary():
        return None
    named = [scope for scope in entry.scopes if not isinstance(scope, AnyScope)]
    return source if matches(entry.capability, source) and _one_covers(named, effect.scope) else None


def grants(entry: Permission, effect: Act) -> bool:
    """Return whether an entry that does not deny covers the whole effect, as far as can be judged before a run."""
    return (
        granted_as(entry, effect) is not None
        and _holds(entry, effect)
        and (not entry.constraints.workspace_only or is_bound(effect.scope) or covers(_INSIDE, effect.scope))
    )


def declares(entry: Permission, effect: Act) -> bool:
    """Return whether an entry that does not deny declares, before a run, that the skill does this.

    An entry `env.read` that names a variable declares the credential in it too (ADR 20). It does not grant it: during a run
    `secret.read` is a request of its own.
    """
    if grants(entry, effect):
        return True
    name = variable_of(effect.scope) if effect.capability == "secret.read" else ""
    return bool(name) and matches(entry.capability, "env.read") and NameScope(name) in entry.scopes


def decides(entry: Permission, effect: Act) -> Decision:
    """Return the decision of a granting entry: without an explicit effect, it follows the level of the name under which
    it grants.
    """
    return entry.decision(granted_as(entry, effect) or effect.capability)


def denies_wholly(entry: Permission, effect: Act) -> bool:
    """Return whether a denial certainly covers everything that the effect can be."""
    limits = entry.constraints
    return (
        stands_for(entry, effect) is not None
        and _holds(entry, effect)
        and not limits.arguments
        and limits.time_window is None
        and (not limits.workspace_only or covers(_INSIDE, effect.scope))
    )


def may_deny(entry: Permission, effect: Act) -> bool:
    """Return whether a denial may touch an effect. One of `source.X` touches `file.X`, because a file may be source
    code.
    """
    limits = entry.constraints
    scope = _folded(effect.scope)
    return (
        _may_stand_for(entry, effect.capability)
        and _one_meets(entry.scopes, scope)
        and (not limits.resource_scope or _one_meets(limits.resource_scope, scope))
        and (not limits.workspace_only or overlaps(_INSIDE, scope))
    )


def is_bound(scope: Scope) -> bool:
    """Return whether a path begins with a value that the caller passes."""
    return isinstance(scope, PathScope) and scope.symbol == BOUND


def _holds(entry: Permission, effect: Act) -> bool:
    """Return whether scope and resource scope cover the whole effect."""
    resources = entry.constraints.resource_scope
    return _one_covers(entry.scopes, effect.scope) and (not resources or _one_covers(resources, effect.scope))


def _may_stand_for(entry: Permission, capability: str) -> bool:
    if matches(entry.capability, capability):
        return True
    return capability.startswith("file.") and matches(entry.capability, "source." + capability[5:])


def _one_covers(scopes: Sequence[Scope], scope: Scope) -> bool:
    return any(covers(one, scope) for one in scopes)


def _one_meets(scopes: Sequence[Scope], scope: Scope) -> bool:
    return any(overlaps(_folded(one), scope) for one in scopes)


def _folded(scope: Scope) -> Scope:
    return scope._replace(parts=tuple(map(fold, scope.parts))) if isinstance(scope, PathScope) else scope
