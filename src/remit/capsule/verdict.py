"""The verdict on a test: which observations lie outside the manifest or are denied, and which entries were exercised.

An observation is inside if one granting entry covers one of its meanings. An entry is exercised for each capability
and each scope that it names, one by one, by an act that succeeded or that only the sandbox refused. What was looked for and
not found exercises nothing, but must be inside all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from remit.capsule.acts import Outcome
from remit.capsule.confinement import DATA
from remit.capsule.observe import Meaning, Role, Seen
from remit.core.capability import matches, vocabulary
from remit.core.effect import Effect
from remit.core.errors import DataError
from remit.core.location import Location
from remit.core.scope import DEEP, TEMP, WORKSPACE, HostScope, PathScope, Scope, ScopeKind, SymbolScope, overlaps
from remit.core.sensitive import may_touch
from remit.core.table import read_table
from remit.core.via import recorded
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.entry_matches import BOUND, denies_wholly, grants

# What a caller may pass while a test runs: anything in the scratch folders, and servers of the test itself.
_PASSED = (PathScope(WORKSPACE, (DEEP,)), PathScope(TEMP, (DEEP,)))
_IN_FILES = {
    "secret": "",
    "policy": "write",
}  # capabilities that are seen as an action on a file that is known to matter
_NOT_FIXED = "what it stands for is fixed only when the skill is used"
_NO_FILE = "it is in no known file: in a variable, or in the store of a program"
_OWN_SERVERS = (HostScope("127.0.0.1"), HostScope("::1"), HostScope("localhost"))


class Standing(Enum):
    """What a manifest says of an observation."""

    INSIDE = 1
    OUTSIDE = 2
    DENIED = 3


class Unit(NamedTuple):
    """One capability on one scope that an entry grants; `entry` is its index in the manifest."""

    entry: int
    capability: str
    scope: Scope


class Judged(NamedTuple):
    """Each observation, by what the manifest says of it; and each unit, by whether it was exercised."""

    inside: tuple[tuple[Seen, Meaning], ...]
    outside: tuple[tuple[Seen, Meaning], ...]
    denied: tuple[tuple[Seen, Meaning], ...]
    exercised: tuple[Unit, ...]
    untested: tuple[Unit, ...]


def judge(seen: Sequence[Seen], manifest: Manifest) -> Judged:
    """Compare observations with a manifest."""
    granting = [_bound(entry) for entry in manifest.permissions if entry.effect is not Decision.DENY]
    denials = [entry for entry in manifest.permissions if entry.effect is Decision.DENY]
    stands = [_stands(item, granting, denials) for item in seen if item.role is Role.EFFECT]
    inside, outside, denied = (
        tuple((item, meaning) for found, item, meaning in stands if found is standing) for standing in Standing
    )
    exercised: list[Unit] = []
    untested: list[Unit] = []
    for unit, entry in units(manifest):
        (exercised if any(_exercises(item, entry, unit) for item in seen) else untested).append(unit)
    return Judged(inside, outside, denied, tuple(exercised), tuple(untested))


def _stands(
    item: Seen, granting: Sequence[Permission], denials: Sequence[Permission]
) -> tuple[Standing, Seen, Meaning]:
    # a denial of one name of a path holds for its other names too
    refused = {
        meaning.capability
        for meaning in item.meanings
        if any(denies_wholly(entry, _effect(meaning)) for entry in denials)
    }
    for meaning in item.meanings:
        if meaning.capability not in refused and any(_permits(entry, meaning, item) for entry in granting):
            return Standing.INSIDE, item, meaning
    denied = next((meaning for meaning in item.meanings if meaning.capability in refused), None)
    if denied:
        return Standing.DENIED, item, denied
    return Standing.OUTSIDE, item, item.meanings[0]


def _permits(entry: Permission, meaning: Meaning, item: Seen) -> bool:
    if item.portless:
        entry = entry._replace(scopes=tuple(map(_any_port, entry.scopes)))
    return grants(entry, _effect(meaning)) or (item.passing and _leads(entry, meaning))


def _leads(entry: Permission, meaning: Meaning) -> bool:
    """Return whether a folder lies on the way to something that an entry grants.

    Reading, copying or deleting a tree visits its folders; creating a file may create the folders above it.
    """
    scope = meaning.scope
    if not isinstance(scope, PathScope):
        return False
    names = vocabulary().expand(entry.capability)
    on_paths = any(vocabulary()[name].scope_kind is ScopeKind.PATH for name in names)
    named = on_paths if meaning.capability == "file.read" else matches(entry.capability, meaning.capability)
    below = PathScope(scope.anchor, (*scope.parts, DEEP))
    return named and any(
        isinstance(one, PathScope) and one.anchor == scope.anchor and overlaps(one, below) for one in entry.scopes
    )


def _exercises(item: Seen, entry: Permission, unit: Unit) -> bool:
    if item.outcome is Outcome.ABSENT:
        return False
    one = entry._replace(capability=unit.capability, scopes=(unit.scope,))
    one = _bound(one if not item.portless else one._replace(scopes=(_any_port(unit.scope),)))
    return any(grants(one, _effect(meaning)) for meaning in item.meanings)


def units(manifest: Manifest) -> Iterable[tuple[Unit, Permission]]:
    """Yield each capability on each scope that a manifest grants, with its entry."""
    for number, entry in enumerate(manifest.permissions):
        if entry.effect is Decision.DENY:
            continue
        for name in _named(entry.capability):
            for scope in entry.scopes:
                yield Unit(number, name, scope), entry


def _named(pattern: str) -> tuple[str, ...]:
    """Return the capabilities that an entry names: `file.*` also covers `source.read`, but does not name it."""
    head = pattern.removesuffix("*") if pattern.endswith(".*") else ""
    return tuple(name for name in vocabulary().expand(pattern) if name.startswith(head))[
        : None if head or pattern == "*" else 1
    ]


def _bound(entry: Permission) -> Permission:
    """Return an entry with the caller's values replaced by those of a test."""
    return entry._replace(scopes=tuple(found for scope in entry.scopes for found in passed(scope)))


def passed(scope: Scope) -> tuple[Scope, ...]:
    """Return what a caller may pass for a scope while a test runs; the scope itself if it names things."""
    if isinstance(scope, PathScope) and scope.symbol == BOUND:
        return tuple(place._replace(parts=(*place.parts, *scope.parts)) for place in _PASSED)
    if isinstance(scope, SymbolScope) and scope.symbol == BOUND:
        return _OWN_SERVERS
    return (scope,)


def _any_port(scope: Scope) -> Scope:
    return scope._replace(port=None) if isinstance(scope, HostScope) else scope


def _effect(meaning: Meaning) -> Effect:
    return Effect(meaning.capability, meaning.scope, Location("."), recorded("observed"))


def why_unseen(capability: str, scope: Scope) -> str:
    """Return why a test cannot show a capability on a scope; empty if it can."""
    if isinstance(scope, PathScope | SymbolScope) and scope.symbol not in ("", BOUND):
        return _NOT_FIXED
    kind, _, action = capability.partition(".")
    if kind in _IN_FILES and capability not in may_touch(f"file.{_IN_FILES[kind] or action}", scope):
        return _NO_FILE
    return next((why for pattern, why in _unseen() if matches(pattern, capability)), "")


@cache
def _unseen() -> tuple[tuple[str, str], ...]:
    rows = []
    for row in read_table(DATA / "unseen.table", 2):
        if not vocabulary().expand(row.cells[0]):
            raise DataError(f"{row.where}: `{row.cells[0]}` is not a capability", "`remit explain` lists all")
        rows.append((row.cells[0], row.cells[1]))
    return tuple(rows)
