"""Commands of a skill of which the analysis cannot say what they do."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.table import read_table
from remit.guard.rules.model import Action, Hit, Rule
from remit.guard.rules.question_words import command_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.call_analysis.commands.model import Doubt
    from remit.guard.rules.model import CallView

_TABLE = Path(__file__).parent.with_name("data") / "project_tools.table"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
# Words by which a call brings code of its own to such a program: recipes from its input or its words, another shell.
_BRINGS_CODE = re.compile(
    r"-|-f-|--?(?:eval|file=-|makefile=-)(?:=.*)?|-E|/dev/(?:stdin|fd/\d+)|SHELL=.*|\.SHELLFLAGS=.*"
)
_WRAPPERS = frozenset({"command", "env", "nice", "time"})
_SHOWN = 2


def find(view: CallView) -> Iterator[Hit]:
    """One hit for the whole call."""
    doubts = [str(doubt) for doubt in view.drafted.doubts if not _is_of_project(doubt, view)]
    if doubts:
        more = f"; and {len(doubts) - _SHOWN} more" if len(doubts) > _SHOWN else ""
        yield Hit(
            command_prefix(view.drafted),
            f"{view.skill} wants to run code that Remit cannot analyse: {'; '.join(doubts[:_SHOWN])}{more}",
        )


def _is_of_project(doubt: Doubt, view: CallView) -> bool:
    """Whether what is not understood is code of the workspace, or what a tool of the project runs."""
    skills = tuple(f"{folder}/" for folder in view.live.folders.values())
    if doubt.file and (not doubt.file.startswith(f"{view.live.workspace.root}/") or doubt.file.startswith(skills)):
        return False
    return (doubt.by_pattern and bool(doubt.file)) or _runs_project(doubt.command)


@lru_cache(1024)
def _runs_project(command: str) -> bool:
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
    """Programs that run code of the project, with the subcommands that do; none for all."""
    rows = (row.cells for row in read_table(_TABLE, 3))
    return {name: frozenset() if names == "-" else frozenset(names.split()) for name, names, _ in rows}


RULE = Rule(
    "not-understood",
    Action.ASK,
    "A skill runs something of which the analysis cannot say what it does.",
    'eval "$(cat commands.txt)"',
    "cat commands.txt",
    find,
)
