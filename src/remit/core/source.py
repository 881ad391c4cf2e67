"""Which files are source code: `source.read` is `file.read` on those. The names are data (`data/source_globs.table`)."""

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
    """The capability on source code that `file.X` on this scope is, if it surely is one."""
    kind, _, action = capability.partition(".")
    name = f"source.{action}"
    return name if kind == "file" and name in vocabulary() and is_source(scope) else None


def is_source(scope: Scope) -> bool:
    """Whether every path of a scope surely names source code: by the end of its last component."""
    return isinstance(scope, PathScope) and bool(scope.parts) and _is_source(scope.parts[-1])


@lru_cache(4096)
def _is_source(part: str) -> bool:
    if not part.endswith(_ends()):
        return False  # exact inclusion costs more than this
    try:
        return any(included(part, glob) for glob in globs())
    except BudgetSpentError:
        return False


@cache
def _ends() -> tuple[str, ...]:
    """What follows the last wildcard of each glob: a pattern that does not end with it has words that do not."""
    return tuple(glob.rpartition("*")[2].rpartition("?")[2] for glob in globs())


@cache
def globs() -> tuple[str, ...]:
    """The names of source code in this version, read once."""
    return load(DATA / "source_globs.table")


def load(path: Path) -> tuple[str, ...]:
    """Read a table of globs; a duplicate and what is no pattern of one component are refused with the line."""
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
