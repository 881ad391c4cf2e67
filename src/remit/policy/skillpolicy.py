"""What one skill may do in one session, its entries made ready: places resolved, and found by capability."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import DEEP, PLACES, ROOT, WORKSPACE, PathScope, ScopeKind
from remit.core.scope.component import literal
from remit.core.sensitive import fold
from remit.manifest.model import Decision, Verification
from remit.policy.request import bind
from remit.policy.spelling import spellings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.core.scope import Scope
    from remit.manifest.model import Manifest, Permission
    from remit.policy.request import Bindings

LEVELS = tuple(Verification)
_WORKSPACE = PathScope(WORKSPACE, (DEEP,))


class Rule(NamedTuple):
    """An entry made ready. What `workspace_only` says has become `inside`: there the request must lie too."""

    entry: Permission
    member: int  # its ordinal among the entries that grant; -1 if it denies
    inside: PathScope | None
    where: str  # as messages name it
    written: Permission | None  # as it stands in the manifest, if it has symbols that a caller may bind


class Rules(NamedTuple):
    """The rules that may speak of one capability."""

    denials: tuple[Rule, ...] = ()
    patterned: tuple[Rule, ...] = ()  # entries that grant, but deny some commands
    grants: tuple[Rule, ...] = ()


@dataclass(frozen=True)
class SkillPolicy:
    """What is so for one skill as long as a session lasts. `level` is what admission found, not what the manifest claims."""

    skill: str
    manifest: Manifest
    level: Verification = Verification.UNVERIFIED
    snapshotted: tuple[PathScope, ...] = ()  # folders whose old state the runtime can bring back
    minimum: tuple[tuple[str, Verification], ...] = ()  # capability or pattern, and the least level at which it runs
    places: Mapping[str, PathScope] = field(default_factory=dict)  # where workspace, home, skill and temp lie
    denials: tuple[
        Permission, ...
    ] = ()  # of other layers, such as the defaults of a workspace; what grants there is passed over
    rules: Mapping[str, Rules] = field(init=False, repr=False, compare=False)
    members: int = field(init=False, compare=False)  # |D|: the entries that grant

    def __post_init__(self) -> None:
        for name, place in self.places.items():
            if name not in PLACES - {ROOT} or place.anchor != ROOT or None in map(literal, place.parts):
                message = f"`{place.render()}` is not where `{name}` lies"
                raise ManifestError(message, "give one absolute path for each place")
        for pattern, _ in self.minimum:
            if not vocabulary().expand(pattern):
                message = f"`{pattern}` has a minimum level and is not a capability"
                raise ManifestError(message, "`remit explain` lists all")
        granting = [entry for entry in self.manifest.permissions if entry.effect is not Decision.DENY]
        denying = [entry for entry in self.manifest.permissions if entry.effect is Decision.DENY]
        denials = [self._forgiving(entry) for entry in denying]
        denials += [self._forgiving(entry, "another layer") for entry in self.denials if entry.effect is Decision.DENY]
        patterned = [self._forgiving(entry) for entry in granting if entry.constraints.denied_command_patterns]
        grants = [self._exact(entry, member) for member, entry in enumerate(granting)]
        kinds = (denials, patterned, grants)
        rules = {
            name: Rules(*(tuple(rule for rule in some if name in _spoken_of(rule.entry.capability)) for some in kinds))
            for name in (capability.name for capability in vocabulary())
        }
        # frozen for everybody else
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))
        object.__setattr__(self, "rules", MappingProxyType(rules))
        object.__setattr__(self, "members", len(granting))

    def resolve(self, scope: Scope) -> Scope:
        """A scope with its place replaced by where that lies, so that all spellings of a path are compared as one."""
        place = self.places.get(scope.anchor) if isinstance(scope, PathScope) else None
        return PathScope(ROOT, (*place.parts, *scope.parts)) if place and isinstance(scope, PathScope) else scope

    def under(self, rule: Rule, bound: Bindings) -> Rule:
        """A rule with its symbols replaced by what the caller binds them to."""
        if rule.written is None or not bound:
            return rule
        limits = rule.written.constraints
        entry = rule.written._replace(
            scopes=tuple(found for scope in rule.written.scopes for found in bind(scope, bound)),
            constraints=limits._replace(
                resource_scope=tuple(found for scope in limits.resource_scope for found in bind(scope, bound))
            ),
        )
        return self._forgiving(entry, rule.where) if rule.member < 0 else self._exact(entry, rule.member)

    def _exact(self, entry: Permission, member: int) -> Rule:
        limits = entry.constraints
        ready = entry._replace(
            scopes=tuple(map(self.resolve, entry.scopes)),
            constraints=limits._replace(
                workspace_only=False, resource_scope=tuple(map(self.resolve, limits.resource_scope))
            ),
        )
        return Rule(ready, member, self._inside(entry), _line(entry), entry if _has_symbols(entry) else None)

    def _forgiving(self, entry: Permission, where: str = "") -> Rule:
        """As a denial is compared: in every spelling, and programs by their last name too."""
        limits = entry.constraints
        programs = any(
            vocabulary()[name].scope_kind is ScopeKind.PROGRAM for name in vocabulary().expand(entry.capability)
        )
        ready = entry._replace(
            scopes=tuple(form for scope in entry.scopes for form in spellings(self.resolve(scope), programs=programs)),
            constraints=limits._replace(
                workspace_only=False,
                resource_scope=tuple(
                    form
                    for scope in limits.resource_scope
                    for form in spellings(self.resolve(scope), programs=programs)
                ),
            ),
        )
        inside = self._inside(entry)
        folded = inside and PathScope(inside.anchor, tuple(map(fold, inside.parts)))
        return Rule(ready, -1, folded, where or _line(entry), entry if _has_symbols(entry) else None)

    def _inside(self, entry: Permission) -> PathScope | None:
        inside = self.resolve(_WORKSPACE) if entry.constraints.workspace_only else None
        return inside if isinstance(inside, PathScope) else None


@cache
def _spoken_of(pattern: str) -> frozenset[str]:
    """The capabilities of which an entry may speak; whether it does depends on the scope. A file may be source code."""
    names = frozenset(vocabulary().expand(pattern))
    files = (f"file.{name[7:]}" for name in names if name.startswith("source."))
    return names | {name for name in files if name in vocabulary()}


def _has_symbols(entry: Permission) -> bool:
    return any(
        scope.tag == "symbol" or (isinstance(scope, PathScope) and scope.anchor not in PLACES)
        for scope in (*entry.scopes, *entry.constraints.resource_scope)
    )


def _line(entry: Permission) -> str:
    return f"line {entry.line} of the manifest" if entry.line else "the manifest"
