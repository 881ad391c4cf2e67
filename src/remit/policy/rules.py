"""The entries of a policy, prepared for judging: symbols bound, places resolved, indexed by capability and scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope import DEEP, PLACES, ROOT, WORKSPACE, PathScope, Scope, ScopeKind
from remit.core.sensitive import fold
from remit.manifest.model import Decision, Permission
from remit.policy.request import Bindings, bind
from remit.policy.scope_index import Finder
from remit.policy.spelling import spellings

_WORKSPACE = PathScope(WORKSPACE, (DEEP,))


LAST = -1_000_001  # the priority of the entry that answers for what no other entry speaks of; manifests cannot have it


class Authority(IntEnum):
    """The source of an entry, the weakest first. If two entries cover a request, the stronger one decides."""

    SKILL = 0  # its manifest
    WORKSPACE = 1  # the baseline of the workspace
    PERSON = 2  # what a person granted to this principal, for a session or for longer


class Layer(NamedTuple):
    """Entries of one source besides the manifest. Those in `grants` extend the principal's rights; those in `asks` only
    add questions.

    Denials in either of them count.
    """

    source: str  # as the log names it: `session-default`, `user-grant`
    authority: Authority
    grants: tuple[Permission, ...] = ()
    asks: tuple[Permission, ...] = ()
    expires: int | None = None  # seconds, as in `Moment`; from then on its entries are none


class Rule(NamedTuple):
    """A prepared entry. `workspace_only` has become `inside`, which the request must lie in too."""

    entry: Permission
    member: int  # its ordinal among the entries that grant; -1 if it denies or only asks
    inside: PathScope | None
    where: str  # as messages name it
    source: str = ""
    authority: Authority = Authority.SKILL
    expires: int | None = None


class Rules(NamedTuple):
    """The rules that may apply to one capability."""

    denials: Finder[Rule]
    patterned: Finder[Rule]  # entries that grant, but deny some commands
    grants: Finder[Rule]
    asks: Finder[Rule]  # entries that grant nothing and want a person asked about what others grant


_NOBODY: Finder[Rule] = Finder(())  # of most capabilities no rule speaks


@cache
def _silence() -> Mapping[str, Rules]:
    """Return no rules for every capability."""
    return {capability.name: Rules(_NOBODY, _NOBODY, _NOBODY, _NOBODY) for capability in vocabulary()}


class Sources(NamedTuple):
    """The sources of the entries for one principal."""

    manifest: Sequence[Permission]
    denials: Sequence[Permission]  # of other layers; only denials count
    layers: Sequence[Layer]


def granting(sources: Sources) -> list[tuple[Permission, Layer]]:
    """Return the entries that grant, in the order of their ordinals: those of the manifest first."""
    own = Layer("", Authority.SKILL, tuple(sources.manifest))
    return [
        (entry, layer)
        for layer in (own, *sources.layers)
        for entry in layer.grants
        if entry.effect is not Decision.DENY
    ]


def make_rules(sources: Sources, places: Mapping[str, PathScope], bound: Bindings) -> Mapping[str, Rules]:
    """Return the rules for one principal, by capability."""
    denials = [_forgiving(entry, places, bound) for entry in sources.manifest if entry.effect is Decision.DENY]
    denials += [
        _forgiving(entry, places, bound)._replace(where="another layer")
        for entry in sources.denials
        if entry.effect is Decision.DENY
    ]
    denials += [
        _of(layer, _forgiving(entry, places, bound))
        for layer in sources.layers
        for entry in (*layer.grants, *layer.asks)
        if entry.effect is Decision.DENY
    ]
    given = granting(sources)
    patterned = [
        _of(layer, _forgiving(entry, places, bound))
        for entry, layer in given
        if entry.constraints.denied_command_patterns
    ]
    grants = [_of(layer, _exact(entry, member, places, bound)) for member, (entry, layer) in enumerate(given)]
    asks = [
        _of(layer, _forgiving(entry, places, bound))
        for layer in sources.layers
        for entry in layer.asks
        if entry.effect is not Decision.DENY
    ]
    kinds = [_finders(rules) for rules in (denials, patterned, grants, asks)]
    spoken = frozenset[str]().union(*kinds)
    return {**_silence(), **{name: Rules(*(found.get(name, _NOBODY) for found in kinds)) for name in spoken}}


def _of(layer: Layer, rule: Rule) -> Rule:
    if layer.authority is Authority.SKILL:
        return rule
    return rule._replace(source=layer.source, authority=layer.authority, expires=layer.expires, where=layer.source)


def _finders(rules: Sequence[Rule]) -> Mapping[str, Finder[Rule]]:
    """Return an index of rules for each capability. Capabilities with the same rules share one."""
    speaking: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for capability in spoken_of(rule.entry.capability):
            speaking.setdefault(capability, []).append(number)
    shared = {
        numbers: Finder([(rules[number], rules[number].entry.scopes) for number in numbers])
        for numbers in set(map(tuple, speaking.values()))
    }
    return {capability: shared[tuple(numbers)] for capability, numbers in speaking.items()}


def resolve(scope: Scope, places: Mapping[str, PathScope]) -> Scope:
    """Return a scope with its place replaced by the real path, so that all spellings of a path compare as one."""
    if isinstance(scope, PathScope) and (place := places.get(scope.anchor)):
        return PathScope(ROOT, (*place.parts, *scope.parts))
    return scope


def has_symbols(entry: Permission) -> bool:
    """Return whether a scope of an entry begins with a symbol, which a caller may bind."""
    return any(
        scope.tag == "symbol" or (isinstance(scope, PathScope) and scope.anchor not in PLACES)
        for scope in (*entry.scopes, *entry.constraints.resource_scope)
    )


def _exact(entry: Permission, member: int, places: Mapping[str, PathScope], bound: Bindings) -> Rule:
    """Prepare a grant, which is compared as written."""
    limits = entry.constraints
    ready = entry._replace(
        scopes=_resolved(entry.scopes, places, bound),
        constraints=limits._replace(
            workspace_only=False, resource_scope=_resolved(limits.resource_scope, places, bound)
        ),
    )
    inside = resolve(_WORKSPACE, places) if limits.workspace_only else None
    return Rule(ready, member, inside if isinstance(inside, PathScope) else None, _line(entry))


def _forgiving(entry: Permission, places: Mapping[str, PathScope], bound: Bindings) -> Rule:
    """Prepare a denial, which is compared in every spelling."""
    programs = _of_programs(entry.capability)
    rule = _exact(entry, -1, places, bound)
    limits = rule.entry.constraints
    ready = rule.entry._replace(
        scopes=_spelled(rule.entry.scopes, programs=programs),
        constraints=limits._replace(resource_scope=_spelled(limits.resource_scope, programs=programs)),
    )
    inside = rule.inside and PathScope(rule.inside.anchor, tuple(map(fold, rule.inside.parts)))
    return rule._replace(entry=ready, inside=inside)


def _resolved(scopes: Iterable[Scope], places: Mapping[str, PathScope], bound: Bindings) -> tuple[Scope, ...]:
    return tuple(resolve(found, places) for scope in scopes for found in bind(scope, bound))


def _spelled(scopes: Iterable[Scope], *, programs: bool) -> tuple[Scope, ...]:
    return tuple(form for scope in scopes for form in spellings(scope, programs=programs))


@cache
def _of_programs(pattern: str) -> bool:
    """Return whether the capabilities of a pattern have programs as their scope."""
    return any(vocabulary()[name].scope_kind is ScopeKind.PROGRAM for name in vocabulary().expand(pattern))


@cache
def spoken_of(pattern: str) -> frozenset[str]:
    """Return the capabilities that an entry may cover; whether it does depends on the scope. A file may be source code."""
    names = frozenset(vocabulary().expand(pattern))
    files = (f"file.{name[7:]}" for name in names if name.startswith("source."))
    return names | {name for name in files if name in vocabulary()}


def _line(entry: Permission) -> str:
    return f"line {entry.line} of the manifest" if entry.line else "the manifest"
