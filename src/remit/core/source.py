"""Names of source code files: `source.read` is `file.read` on those. They are data (`data/source_globs.table`)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.scope import DEEP, PathScope, Scope
from remit.core.scope.component import BudgetSpentError, included
from remit.core.scope.parse import one_component
from remit.core.table import DATA, read_table

if TYPE_CHECKING:
    from pathlib import Path


def as_source(capability: str, scope: Scope) -> str | None:
    """Return the source-code capability that `file.X` on this scope certainly is; None if uncertain."""
    kind, _, action = capability.partition(".")
    name = f"source.{action}"
    return name if kind == "file" and name in vocabulary() and is_source(scope) else None


def is_source(scope: Scope) -> bool:
    """Whether every path of a scope certainly names source code, by the end of its last component."""
    return isinstance(scope, PathScope) and bool(scope.parts) and _is_source(scope.parts[-1])


@lru_cache(4096)
def _is_source(part: str) -> bool:
    if not part.endswith(_ends()):
        return False  # cheaper than exact inclusion
    try:
        return any(included(part, glob) for glob in globs())
    except BudgetSpentError:
        return False


@cache
def _ends() -> tuple[str, ...]:
    """Return what follows the last wildcard of each glob: a pattern with another end is not included."""
    return tuple(glob.rpartition("*")[2].rpartition("?")[2] for glob in globs())


@cache
def globs() -> tuple[str, ...]:
    """Return the names of source code in this version, read once."""
    return load(DATA / "source_globs.table")


def load(path: Path) -> tuple[str, ...]:
    """Parse a table of globs; a duplicate, or what is no pattern of one component, is refused with the line."""
    found: list[str] = []
    for row in read_table(path, 2):
        try:
            glob = one_component(row.cells[0])
        except ManifestError as error:
            message = f"{row.where}: {error.message}"
            raise DataError(message, error.remedy) from None
        if glob in found or glob in ("", "*", DEEP):
            message = f"{row.where}: `{row.cells[0]}` is {'listed twice' if glob in found else 'every name'}"
            raise DataError(message, "remove the line")
        found.append(glob)
    return tuple(found)
