"""Programs that run code of the project in which they are started (`data/project_tools.table`), and what they change by
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.table import read_table
from remit.core.via import Cause

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands import Part, Understanding

_TABLE = Path(__file__).parent.with_name("data") / "project_tools.table"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
# Words by which a call gives such a program its own code: recipes from its input or its words, another shell.
_BRINGS_CODE = re.compile(
    r"-|-f-|--?(?:eval|file=-|makefile=-)(?:=.*)?|-E|/dev/(?:stdin|fd/\d+)|SHELL=.*|\.SHELLFLAGS=.*"
)
_WRAPPERS = frozenset({"command", "env", "nice", "time"})


def of_project_tools(understood: Iterable[Understanding]) -> list[tuple[Part, bool]]:
    """Return all that commands do, each with whether a tool of the project or an installer does it (`npm install`
    writes its lock file).
    """
    parts = [part for known in understood for part in known.parts]
    installing = {(part.command, part.via.name) for part in parts if part.capability == "package.install"}
    return [
        (part, (part.command, part.via.name) in installing or (runs_project(part.command) and _is_by_itself(part)))
        for part in parts
    ]


def _is_by_itself(part: Part) -> bool:
    """Whether a tool or the code of the project does it, not what the words of the call let the tool run (`npm exec -- sh -c …`)."""
    if part.via.cause is Cause.COMMAND and not part.scripted:
        return runs_project(part.via.name) or part.via.name.partition(" ")[0] not in part.command.split()
    return part.scripted or (part.via.cause is Cause.REDIRECT and ">" not in part.command)


@lru_cache(1024)
def runs_project(command: str) -> bool:
    """Whether a simple command starts a program that runs code of the project."""
    words = [word for word in command.split() if not _ASSIGNMENT.fullmatch(word)]
    while words and words[0] in _WRAPPERS:
        words = words[1:]
    if any(_BRINGS_CODE.fullmatch(word) for word in command.split()):
        return False
    known = _project_tools().get(words[0].rpartition("/")[2]) if words else None
    return known is not None and (not known or not known.isdisjoint(words[1:4]))


@cache
def _project_tools() -> dict[str, frozenset[str]]:
    """Return the programs that run code of the project, with the subcommands that do; none for all."""
    rows = (row.cells for row in read_table(_TABLE, 3))
    return {name: frozenset() if names == "-" else frozenset(names.split()) for name, names, _ in rows}
