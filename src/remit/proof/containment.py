"""The containment verdict: whether everything that the skill can do lies inside what it may do. A pure function.

Containment is over effects that are *executed*. An effect that a denial covers wholly is a denied attempt: it is refused when it
is tried, so it is neither inside nor an escape, and it is listed apart. Every other effect is inside if one entry that
allows (or asks) stands for its capability and holds its whole scope; where a denial meets a part of it, that part is refused
at run time, and the verdict says so. Two entries that cover a scope only together do not cover it: one rule must permit the
whole request at run time too. What is opaque is never contained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from remit.core.capability import matches
from remit.core.scope import PathScope, Scope, covers, overlaps
from remit.core.sensitive import may_touch
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.entry_matches import declares, denies_wholly, granted_as
from remit.proof.cost import refuse_endless
from remit.proof.outcome import Containment, Denied, Escape, Verdict
from remit.proof.residuals import Residual, refusal, residuals

if TYPE_CHECKING:
    from remit.core.assumption import Assumption
    from remit.core.effect import Effect, Opaque


SHOWN = 8  # scopes that an escape names


def contain(
    effects: Sequence[Effect], opaque: Sequence[Opaque], assumed: Iterable[Assumption], manifest: Manifest | None
) -> Containment:
    """Compare what a skill can do with what it may do."""
    if manifest is None:
        return Containment(Verdict.UNDECLARED)
    refuse_endless(effects, manifest)
    granting = [entry for entry in manifest.permissions if entry.effect is not Decision.DENY]
    denials = [entry for entry in manifest.permissions if entry.effect is Decision.DENY]
    # judged by capability and scope, once for all places that have both
    firsts = {_kind(effect): effect for effect in reversed(effects)}
    kinds = dict.fromkeys(map(_kind, effects))
    refusing = {kind: entry for kind in kinds if (entry := _denial(firsts[kind], denials))}
    fitting = {
        kind: [entry for entry in granting if declares(entry, firsts[kind])] for kind in kinds if kind not in refusing
    }
    denied = tuple(Denied(effect, refusing[_kind(effect)]) for effect in effects if _kind(effect) in refusing)
    outside = {kind: _escape(firsts[kind], granting) for kind, entries in fitting.items() if not entries}
    escapes = tuple(outside[_kind(effect)]._replace(effect=effect) for effect in effects if _kind(effect) in outside)
    verdict = Verdict.ESCAPES if escapes else Verdict.OPAQUE if opaque else Verdict.CONTAINED
    executed = [firsts[kind] for kind in fitting]
    unused = tuple(entry for entry in granting if not any(_used(entry, effect) for effect in executed))
    conditions = residuals(zip(executed, fitting.values(), strict=True), granting, denials, assumed)
    return Containment(verdict, escapes, unused, _with_refusals(conditions, denied), denied)


def _kind(effect: Effect) -> tuple[str, Scope]:
    return effect.capability, effect.scope


def _denial(effect: Effect, denials: Sequence[Permission]) -> Permission | None:
    return next((entry for entry in denials if denies_wholly(entry, effect)), None)


def _with_refusals(conditions: tuple[Residual, ...], denied: Sequence[Denied]) -> tuple[Residual, ...]:
    found = {(item.kind, item.subject): item for item in conditions}
    for item in denied:
        residual = refusal(item.entry, item.effect)
        found.setdefault((residual.kind, residual.subject), residual)
    return tuple(found[key] for key in sorted(found))


def _escape(effect: Effect, entries: Sequence[Permission]) -> Escape:
    named = [entry for entry in entries if granted_as(entry, effect)]
    known = sorted({_place(entry) for entry in named})
    places = ", ".join(known[:SHOWN]) + (f" and {len(known) - SHOWN} more" if len(known) > SHOWN else "")
    return Escape(effect, f"declared for {places} only" if named else "not declared", bool(named))


def _place(entry: Permission) -> str:
    """Return where an entry grants, as far as this can be judged before a run."""
    limits = entry.constraints
    within = f" within {', '.join(scope.render() for scope in limits.resource_scope)}" if limits.resource_scope else ""
    return f"{entry.place}{within}{' in the workspace' if limits.workspace_only else ''}"


def _used(entry: Permission, effect: Effect) -> bool:
    touched = may_touch(effect.capability, effect.scope)
    named = granted_as(entry, effect) or any(matches(entry.capability, name) for name in touched)
    return bool(named) and any(_serves(scope, effect.scope) for scope in entry.scopes)


def _serves(grant: Scope, scope: Scope) -> bool:
    """Return whether a grant is meant for something in the scope. A home folder that may contain the workspace is not."""
    if isinstance(grant, PathScope) and isinstance(scope, PathScope) and grant.anchor != scope.anchor:
        return covers(grant, scope) or covers(scope, grant)
    return overlaps(grant, scope)
