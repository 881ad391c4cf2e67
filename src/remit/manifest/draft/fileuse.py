"""Which effects on files are what the skill is for: the user's files and the results, not what programs keep for themselves."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import DataError
from remit.core.scope import DEEP, SKILL, TEMP, WORKSPACE, AnyScope, PathScope
from remit.core.source import as_source
from remit.core.table import read_table
from remit.core.via import Cause

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.core.scope import Scope
    from remit.core.via import Via

_USES = frozenset({"file.read", "file.write"})
_BY_COMMAND = frozenset({"command", "reference", "people", "hook"})
_NAMED = frozenset({Cause.COMMAND, Cause.FUNCTION})
_SECRET_NAME = re.compile(r"token|credential|secret|auth|passw|api[_-]?key", re.IGNORECASE)


@cache
def _programs() -> dict[tuple[str, str], frozenset[str]]:
    return read_programs(Path(str(files("remit.manifest.draft").joinpath("data/housekeeping.table"))))


def read_programs(path: Path) -> dict[tuple[str, str], frozenset[str]]:
    """Read a table: sub-commands by section and program; what stands twice is refused with its place."""
    out: dict[tuple[str, str], frozenset[str]] = {}
    for row in read_table(path, 2):
        program, commands = row.cells
        if row.section not in {"keep", "search"} or (row.section, program) in out:
            raise DataError(f"{row.where}: `{program}` stands twice or in no known section", "correct the row")
        out[row.section, program] = frozenset(commands.split())
    return out


def _listed(section: str, via: Via) -> bool:
    """Whether the command or function that an effect comes from is in a section of the table."""
    program, _, rest = via.name.partition(" ")
    commands = _programs().get((section, program)) if via.cause in _NAMED else None
    return bool(commands and ("*" in commands or rest.partition(" ")[0] in commands))


def file_use(effect: Effect, kind: str) -> tuple[str, int]:
    """The capability that an effect on files counts for, and at most how many points: 4 leaves it as it is."""
    capability = as_source(effect.capability, effect.scope) or effect.capability
    if capability not in _USES:
        return capability, 4
    if kind in _BY_COMMAND:
        if capability == "file.read" and _listed("search", effect.via) and _folders(effect.scope):
            return "source.read", 4
        # An effect without a place is what a program might do at most: it speaks for nothing in particular.
        return capability, 0 if _listed("keep", effect.via) or _everywhere(effect.scope) else 4
    if _listed("keep", effect.via) or _SECRET_NAME.search(effect.scope.render()):
        return capability, 0
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor in {SKILL, TEMP}
    return capability, 1 if own and capability == "file.read" else 4


def _folders(scope: Scope) -> bool:
    """Whether a scope is everything, or a folder of the workspace: its last name is none of a file.

    `references` is where skills keep their own documents, so that who searches there reads no code.
    """
    if _everywhere(scope):
        return True
    if not isinstance(scope, PathScope) or scope.anchor != WORKSPACE or scope.parts[0] == "references":
        return False
    return "." not in str(scope.parts[-1])


def _everywhere(scope: Scope) -> bool:
    """Whether a scope is everything, or the whole workspace."""
    return isinstance(scope, AnyScope) or (
        isinstance(scope, PathScope) and scope.anchor == WORKSPACE and not set(scope.parts) - {DEEP}
    )
