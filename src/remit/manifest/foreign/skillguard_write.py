"""Writer of SkillGuard's manifests: effects, priorities, messages and most constraints are kept; scopes become
resource_scope.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE, DEEP, PathScope, Scope, ScopeKind
from remit.core.scope.component import literal
from remit.manifest.foreign.losses import differences, unsaid
from remit.manifest.foreign.permissions import least, narrowed
from remit.manifest.foreign.result import Loss, LossKind, Writing, ordered
from remit.manifest.foreign.skillguard_read import read_skillguard
from remit.manifest.model import Constraints, Decision, Manifest, Permission
from remit.manifest.render import constraints_value, layout
from remit.manifest.words import listed

NAME = "SkillGuard"
_SAYS = ("name", "version", "trust_tier", "fallback_msg", "priority")
_OPEN = ("arguments", "time_window", "rate_limit")  # named by its grammar, which does not define their content


class _Terms(NamedTuple):
    """Everything that an entry says about its capabilities."""

    decision: Decision
    scopes: tuple[Scope, ...]
    priority: int
    constraints: Constraints  # without the scopes
    fallback_msg: str


def write_skillguard(manifest: Manifest) -> Writing:
    """Return a skillguard-manifest.json."""
    losses = unsaid(manifest, NAME, _SAYS)
    together: dict[_Terms, list[str]] = {}
    for entry in manifest.permissions:
        for name in _spoken_of(entry):
            terms = _terms(entry, name)
            if not terms.scopes:
                if terms.decision is not Decision.DENY:
                    message = f"`{name}` ({entry.place}) is left out: its scopes and constraints have nothing in common"
                    losses.append(Loss(LossKind.NARROWED, message, vocabulary().expand(name)))
            elif name != "*" and not vocabulary()[name].skillguard:
                losses.append(_no_name(name, entry, terms.decision))
            else:
                together.setdefault(terms, []).append(name)
    written = {terms: _names(names) for terms, names in together.items()}
    losses += _unsure(together)
    document: dict[str, Any] = {}
    if about := manifest.skill_metadata:
        document["skill_metadata"] = {
            name: value
            for name, value in (("name", about.name), ("version", about.version), ("trust_tier", about.trust_tier))
            if value or name == "name"
        }
    document["permissions"] = [_entry(name, terms) for terms, names in written.items() for name in names]
    text = layout(document)
    back = read_skillguard(text.encode(), "skillguard-manifest.json").manifest
    words = {name: vocabulary().expand_skillguard(name) for names in written.values() for name in names}
    return Writing(text, ordered([*losses, *differences(manifest, back, words, losses, NAME)]))


def _spoken_of(entry: Permission) -> tuple[str, ...]:
    """Return the capabilities of an entry; `*` stays one if all of them are decided alike."""
    if entry.capability == "*" and entry.effect is not None:
        return ("*",)
    return least(vocabulary().expand(entry.capability))


def _terms(entry: Permission, name: str) -> _Terms:
    free = entry._replace(constraints=entry.constraints._replace(workspace_only=False))
    inner, outer = narrowed(free, name) if name != "*" else (entry.scopes, entry.scopes)
    decision = entry.effect if entry.effect is not None else entry.decision(name)
    # a denial rather says too much, a grant rather too little
    scopes = outer if decision is Decision.DENY else inner
    rest = entry.constraints._replace(resource_scope=(), redact=False)
    return _Terms(decision, scopes, entry.priority, rest, entry.fallback_msg)


def _names(capabilities: Iterable[str]) -> list[str]:
    """Return the fewest words of SkillGuard that stand for some capabilities; those with only one word first."""
    chosen: dict[str, None] = {}
    for capability in sorted(dict.fromkeys(capabilities), key=lambda name: name != "*" and _choices(name) > 1):
        words = ("*",) if capability == "*" else vocabulary()[capability].skillguard
        if not any(word in chosen for word in words):
            chosen[min(words, key=lambda word: len(vocabulary().expand_skillguard(word)))] = None
    return list(chosen)


def _choices(capability: str) -> int:
    return len(vocabulary()[capability].skillguard)


def _entry(name: str, terms: _Terms) -> dict[str, Any]:
    constraints = constraints_value(terms.constraints)
    if ANY_SCOPE not in terms.scopes:
        constraints = {"resource_scope": list(dict.fromkeys(map(_prefix_text, terms.scopes)))} | constraints
    return {
        "capability": name,
        "effect": str(terms.decision),
        "priority": terms.priority,
        "constraints": constraints or None,
        **({"fallback_msg": terms.fallback_msg} if terms.fallback_msg else {}),
    }


def _prefix_text(scope: Scope) -> str:
    """Return a folder with everything below it as the folder, which is a prefix."""
    if isinstance(scope, PathScope) and scope.parts[-1:] == (DEEP,):
        folder = scope._replace(parts=scope.parts[:-1])
        if all(part != DEEP and literal(part) is not None for part in folder.parts):
            return folder.render()
    return scope.render()


def _no_name(name: str, entry: Permission, decision: Decision) -> Loss:
    if decision is Decision.DENY:
        return Loss(
            LossKind.LOST, f"SkillGuard has no name for `{name}`: the denial ({entry.place}) is not said", (name,)
        )
    return Loss(LossKind.NARROWED, f"SkillGuard has no name for `{name}` ({entry.place})", (name,))


def _unsure(together: dict[_Terms, list[str]]) -> Iterable[Loss]:
    """Return what is in the document and is described by SkillGuard too vaguely to be certain."""
    scoped = [name for terms, names in together.items() if ANY_SCOPE not in terms.scopes for name in names]
    if others := tuple(name for name in scoped if vocabulary()[name].scope_kind is not ScopeKind.PATH):
        message = f"`resource_scope`, which SkillGuard describes for paths, holds the scopes of {listed(others)}"
        yield Loss(LossKind.UNSURE, message, others)
    for field in _OPEN:
        if found := tuple(
            name for terms, names in together.items() if getattr(terms.constraints, field) for name in names
        ):
            message = f"`{field}` is written in Remit's form; SkillGuard does not define it"
            yield Loss(LossKind.UNSURE, message, found)
