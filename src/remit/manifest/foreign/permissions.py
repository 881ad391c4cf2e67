"""What a manifest permits, and whether another permits more.

Two manifests are compared capability by capability. The comparison is cautious: it may say "more" of two that permit
the same, and never says "the same" of two that differ. Writers read their own output back and report what differs, so
that no loss is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from remit.core.capability import matches, vocabulary
from remit.core.scope import DEEP, WORKSPACE, AnyScope, PathScope, Scope, ScopeKind, covers, overlaps
from remit.core.source import is_source
from remit.manifest.model import Constraints, Decision, Manifest, Permission

_WORKSPACE = PathScope(WORKSPACE, (DEEP,))


class Rule(NamedTuple):
    """One entry as it applies to one capability."""

    decision: Decision
    inner: frozenset[Scope]  # certainly meant
    outer: frozenset[Scope]  # possibly meant
    priority: int
    constraints: Constraints  # what is left after constraints are moved into the scopes
    named_as_source: bool = False  # it is only about files that are source code by their name


def least(names: Iterable[str]) -> tuple[str, ...]:
    """Return capabilities without those that another of them includes (`source.read` beside `file.read`)."""
    known = tuple(names)
    return tuple(name for name in known if not any(other != name and matches(other, name) for other in known))


def rules(manifest: Manifest, capability: str) -> list[Rule]:
    """Return the entries about a capability, by its own name or by that of `source.X` for `file.X`."""
    source = "source." + capability.removeprefix("file.")
    if not capability.startswith("file.") or source not in vocabulary():
        source = ""
    out: list[Rule] = []
    for entry in manifest.permissions:
        if matches(entry.capability, capability):
            out.append(_rule(entry, capability))
        elif source and matches(entry.capability, source):
            out += _of_files(entry, source)
    return out


def _of_files(entry: Permission, source: str) -> list[Rule]:
    """Return what an entry of `source.X` means for `file.X`.

    A grant with a scope says that what is there is source code. A denial, and a grant of any source code, are about the
    files that are source code by their name.
    """
    whole = _rule(entry, source)
    if whole.decision is Decision.DENY:
        return [whole._replace(named_as_source=True)]
    named = tuple(scope for scope in entry.scopes if not isinstance(scope, AnyScope))
    out = [_rule(entry._replace(scopes=named), source)] if named else []
    return [*out, whole._replace(named_as_source=True)] if named != entry.scopes else out


def _rule(entry: Permission, capability: str) -> Rule:
    inner, outer = narrowed(entry, capability)
    path = vocabulary()[capability].scope_kind is ScopeKind.PATH
    rest = entry.constraints._replace(resource_scope=())
    if path and all(covers(_WORKSPACE, scope) for scope in outer):
        rest = rest._replace(workspace_only=False)  # the scopes say it
    return Rule(entry.decision(capability), frozenset(inner), frozenset(outer), entry.priority, rest)


def narrowed(entry: Permission, capability: str) -> tuple[tuple[Scope, ...], tuple[Scope, ...]]:
    """Return the scopes of an entry, narrowed by its constraints: what they certainly are, and at most."""
    inner = outer = entry.scopes
    limits = [entry.constraints.resource_scope] if entry.constraints.resource_scope else []
    if entry.constraints.workspace_only and vocabulary()[capability].scope_kind is ScopeKind.PATH:
        limits.append((_WORKSPACE,))
    for limit in limits:
        inner, outer = _meets(inner, limit, sure=True), _meets(outer, limit, sure=False)
    return inner, outer


def _meets(left: tuple[Scope, ...], right: tuple[Scope, ...], *, sure: bool) -> tuple[Scope, ...]:
    """Return the intersection of two lists of scopes; a pair that overlaps only in part counts as a whole unless
    certainty is required.
    """
    out: dict[Scope, None] = {}
    for one in left:
        for other in right:
            if covers(one, other):
                out[other] = None
            elif covers(other, one) or (not sure and overlaps(one, other)):
                out[one] = None
    return tuple(out)


def permits_more(manifest: Manifest, other: Manifest, capability: str) -> bool:
    """Whether `other` may permit something of a capability that `manifest` does not, or without asking."""
    ours, theirs = rules(manifest, capability), rules(other, capability)
    if set(ours) == set(theirs):
        return False
    return any(
        not _permitted(ours, theirs, rule, scope)
        for rule in theirs
        if rule.decision is not Decision.DENY
        for scope in rule.outer
    )


def _permitted(ours: list[Rule], theirs: list[Rule], rule: Rule, scope: Scope) -> bool:
    """Whether a grant of theirs for a scope is also granted by one of our rules, and not taken back by another."""
    return any(
        grant.decision in (Decision.ALLOW, rule.decision)
        and _holds(grant, rule, scope)
        and _at_most(grant.constraints, rule.constraints)
        and not any(
            _takes_back(denial, grant)
            and any(overlaps(outer, scope) for outer in denial.outer)
            and not any(_takes_back(their, rule) and _as_strict(their, denial) for their in theirs)
            for denial in ours
        )
        for grant in ours
        if grant.decision is not Decision.DENY
    )


def _takes_back(rule: Rule, grant: Rule) -> bool:
    """Whether a rule may take back what a grant gives: a denial always, a question unless it ranks below."""
    if rule.decision is Decision.CONFIRM:
        return grant.decision is Decision.ALLOW and rule.priority >= grant.priority
    return rule.decision is Decision.DENY


def _as_strict(rule: Rule, wanted: Rule) -> bool:
    """Whether a rule denies or asks wherever another does."""
    return (
        rule.decision in (Decision.DENY, wanted.decision)
        and _at_most(rule.constraints, wanted.constraints)
        and all(_holds(rule, wanted, outer) for outer in wanted.outer)
    )


def _holds(rule: Rule, other: Rule, scope: Scope) -> bool:
    """Whether a rule certainly covers everything that another means by one of its scopes."""
    if rule.named_as_source and not other.named_as_source and not is_source(scope):
        return False
    return any(covers(inner, scope) for inner in rule.inner)


def _at_most(loose: Constraints, tight: Constraints) -> bool:
    """Whether `loose` admits everything that `tight` admits."""
    return (
        (not loose.workspace_only or tight.workspace_only)
        and (not loose.redact or tight.redact)
        and set(loose.denied_command_patterns) <= set(tight.denied_command_patterns)
        and set(loose.arguments) <= set(tight.arguments)
        and loose.time_window in (None, tight.time_window)
        and loose.rate_limit in (None, tight.rate_limit)
    )


def changed(before: Manifest, after: Manifest) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the capabilities of which `after` may permit more, and those of which it may permit less."""
    names = [capability.name for capability in vocabulary()]
    more = tuple(name for name in names if permits_more(before, after, name))
    less = tuple(name for name in names if permits_more(after, before, name))
    return more, less
