"""Rules about the commands of a skill: those that the analysis does not understand, and those that run with another
user's rights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.guard.call_analysis.project_tools import runs_project
from remit.guard.rules.model import Action, CallView, Hit, Rule
from remit.guard.rules.question_words import command_prefix

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands.model import Doubt

_SHOWN = 2
_PROGRAMS = frozenset({"sudo", "doas", "su", "pkexec", "run0"})


def _not_understood(view: CallView) -> Iterator[Hit]:
    """Return one hit for the whole call."""
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
    return (doubt.by_pattern and bool(doubt.file)) or runs_project(doubt.command)


def _elevated(view: CallView) -> Iterator[Hit]:
    """Return a hit for each simple command of the call and of its scripts that gets other rights."""
    for known in view.drafted.understood:
        for words in (*known.commands, *known.inner):
            name = words[0].rpartition("/")[2] if words else ""
            if name in _PROGRAMS:
                yield Hit(name, f"{view.skill} wants to run a command as another user (`{' '.join(words)[:200]}`)")


ELEVATED_RIGHTS = Rule(
    "elevated-rights",
    Action.ASK,
    "A skill runs something as another user.",
    "sudo apt-get update",
    "apt-get --version",
    _elevated,
)
NOT_UNDERSTOOD = Rule(
    "not-understood",
    Action.ASK,
    "A skill runs something that the analysis does not understand.",
    'eval "$(cat commands.txt)"',
    "cat commands.txt",
    _not_understood,
)
