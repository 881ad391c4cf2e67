"""Entries about single places inside a pattern that a call writes or deletes.

A pattern such as `./**` is judged as a whole: an entry that denies or asks about `./prod/**` does not cover all of it.
So the entry is compared with the existing files. A deletion that meets a denial is denied. A write that may meet one is
asked about before, and what it did there is reported after the call (`undo/transactions.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import GuardError
from remit.core.scope import PathScope, covers, overlaps
from remit.core.sensitive import fold
from remit.core.source import is_source
from remit.guard.call_analysis.path_patterns import MOST, files_under
from remit.guard.paths import file_scope, fixed_start
from remit.manifest.model import Decision, Permission

if TYPE_CHECKING:
    from remit.policy.principal import SessionPolicy
    from remit.policy.request import Request
    from remit.policy.skill_policy import SkillPolicy


class PathEntry(NamedTuple):
    """A place inside a pattern that an entry covers. Names are compared as the most forgiving file system does."""

    scope: PathScope
    code: bool  # the entry covers source code alone

    def holds(self, path: str) -> bool:
        """Whether a file is in that place."""
        one = file_scope(path)
        return covers(self.scope, _folded(one)) and (not self.code or is_source(one))


def denied_inside(policy: SessionPolicy, principals: Iterable[str], request: Request) -> tuple[PathEntry, ...]:
    """Return the places inside a pattern that an entry for one of these principals denies. The guard's own files are
    handled separately.
    """
    everybodys = frozenset(policy.protected)
    return _spoken(
        request,
        (
            (own, entry)
            for own in _policies(policy, principals)
            for entry in (*own.denials, *own.manifest.permissions, *_beside(own))
            if entry.effect is Decision.DENY and entry not in everybodys
        ),
    )


def protected_inside(policy: SessionPolicy, request: Request) -> bool:
    """Whether a pattern matches existing files of the guard itself."""
    if not isinstance(request.scope, PathScope):
        return False
    pattern = _folded(request.scope)
    return any(
        overlaps(_folded(scope), pattern) and os.path.lexists(fixed_start(scope))
        for entry in policy.protected
        if tuple(_speaks(entry, request.capability))
        for scope in entry.scopes
        if isinstance(scope, PathScope)
    )


def asked_inside(policy: SessionPolicy, principals: Iterable[str], request: Request) -> tuple[str, ...]:
    """Return the places inside a pattern that an entry denies, or that the workspace asks about, each with a
    description. A manifest that asks does not override a workspace that allows.
    """
    names = tuple(principals)
    asked = _spoken(
        request,
        (
            (own, entry)
            for own in _policies(policy, names)
            for entry in _beside(own)
            if entry.effect is Decision.CONFIRM
        ),
    )
    denied = denied_inside(policy, names, request)
    return (
        *(f"`{place.scope.render()}`, which is denied" for place in denied),
        *(f"`{place.scope.render()}`, which needs your approval" for place in asked),
    )


def _policies(policy: SessionPolicy, principals: Iterable[str]) -> Iterator[SkillPolicy]:
    for name in dict.fromkeys(one for principal in principals for one in policy.chain(principal)):
        yield policy.policy(name)


def _beside(own: SkillPolicy) -> Iterator[Permission]:
    """Return the entries of the workspace and of persons."""
    yield from (entry for layer in own.layers for entry in (*layer.grants, *layer.asks))


def _spoken(request: Request, entries: Iterable[tuple[SkillPolicy, Permission]]) -> tuple[PathEntry, ...]:
    found: dict[PathEntry, None] = {}
    if not isinstance(request.scope, PathScope):
        return ()
    pattern = _folded(request.scope)
    for own, entry in entries:
        for code in _speaks(entry, request.capability):
            for scope in map(own.resolve, entry.scopes):
                place = _folded(scope) if isinstance(scope, PathScope) else None
                if place is not None and overlaps(place, pattern) and not covers(place, pattern):
                    found[PathEntry(place, code)] = None
    return tuple(found)


def _speaks(entry: Permission, capability: str) -> Iterator[bool]:
    """Whether an entry covers a capability on files, and if so whether source code alone."""
    names = vocabulary().expand(entry.capability)
    kind, _, action = capability.partition(".")
    if capability in names or f"file.{action}" in names:
        yield False
    elif kind == "file" and f"source.{action}" in names:
        yield True


def _folded(scope: PathScope) -> PathScope:
    return PathScope(scope.anchor, tuple(map(fold, scope.parts)))


def files_inside(request: Request, places: Iterable[PathEntry]) -> frozenset[str]:
    """Return the files under a pattern that are in such a place."""
    known = tuple(places)
    if not known or not isinstance(request.scope, PathScope):
        return frozenset()
    found = set()
    for seen, (path, entry) in enumerate(files_under(request.scope)):
        if seen >= MOST or entry is None:
            message = "what this call may not touch is among too many files to check"
            raise GuardError(message, "name the files one by one")
        if any(place.holds(path) for place in known) and covers(request.scope, file_scope(path)):
            found.add(path)
    return frozenset(found)
