"""The scopes of a drafted entry: as narrow as the evidence allows."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, DEEP, WORKSPACE, NameScope, PathScope, covers, parse_scope
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.scope import Scope
    from remit.manifest.draft.clues import Clue

_HALF = re.compile("[\ud800-\udfff]")
_WORKSPACE = PathScope(WORKSPACE, (DEEP,))


@cache
def _usual() -> dict[str, tuple[Scope, bool]]:
    out: dict[str, tuple[Scope, bool]] = {}
    for row in read_table(Path(str(files("remit.manifest.draft").joinpath("data/usual_scopes.table"))), 3):
        capability, text, when = row.cells
        if capability not in vocabulary() or when not in ("always", "alone") or capability in out:
            raise DataError(
                f"{row.where}: the row cannot be read", "write `capability | scope | always` or `… | alone`, once"
            )
        out[capability] = (parse_scope(vocabulary()[capability].scope_kind, text), when == "always")
    return out


def scopes_for(capability: str, clues: Iterable[Clue]) -> tuple[Scope, ...]:
    """The scopes that the clues of a capability need together."""
    found: set[Scope] = set()
    words = False
    for clue in clues:
        if clue.scope is not None:
            found.add(clue.scope)
        else:
            words = words or clue.kind == "sentence"
    usual, always = _usual().get(capability, (ANY_SCOPE, False))
    if not found or (words and always):
        found.add(usual)
    return compact(found)


def compact(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    """The same scopes without those that another one holds, in the order of their text."""
    found = sorted({writable(scope) for scope in scopes}, key=lambda scope: scope.render())
    if ANY_SCOPE in found:
        return (ANY_SCOPE,)
    wide = [scope for scope in found if _is_wide(scope)]
    kept: list[Scope] = []
    for scope in found:
        holders = [other for other in wide if other != scope and covers(other, scope)]
        # of two that hold each other the first in order stays
        if all(_is_wide(scope) and covers(scope, other) and scope.render() < other.render() for other in holders):
            kept.append(scope)
    return tuple(kept)


def writable(scope: Scope) -> Scope:
    """The scope, or everything if it holds half of a pair of surrogates, which no manifest can say."""
    return ANY_SCOPE if _HALF.search(scope.render()) else scope


def _is_wide(scope: Scope) -> bool:
    """Whether a scope can hold another one: a plain path or name holds only itself, a host without a port its ports."""
    return not isinstance(scope, (PathScope, NameScope)) or "*" in scope.render()


def in_workspace(scopes: Sequence[Scope]) -> bool:
    """Whether all scopes are paths of the workspace."""
    return all(covers(_WORKSPACE, scope) for scope in scopes)


def splits_as_code(clues: Iterable[Clue]) -> tuple[list[Clue], list[Clue]]:
    """Clues of `file.X` that an entry of `source.X` can hold, because they say on what; and the others."""
    found = list(clues)
    named = [clue for clue in found if clue.scope is not None and writable(clue.scope) != ANY_SCOPE]
    return named, [clue for clue in found if clue not in named]
