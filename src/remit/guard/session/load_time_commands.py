"""Commands that a skill would make the host run without hooks: commands in its text that run during loading, and hooks
of its own.

Claude Code runs both, unless settings forbid it (tests/hosts shows that it does). For other hosts it is not shown that
they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.install.claude_code import HOST as CLAUDE_CODE
from remit.guard.install.model import Site

if TYPE_CHECKING:
    from pathlib import Path

    from remit.skill.document import Document
    from remit.skill.model import Skill

_LONGEST = 120  # characters of a command that are shown


class LoadCommandKind(StrEnum):
    """How a command would run."""

    INLINE = "inline"  # while the text is loaded
    HOOK = "hook"  # at events of the session
    UNREAD = "unread"  # unknown: the front matter cannot be read


class LoadTimeCommand(NamedTuple):
    """One command, and its location."""

    sort: LoadCommandKind
    where: str
    command: str

    def __str__(self) -> str:
        shown = self.command if len(self.command) <= _LONGEST else f"{self.command[:_LONGEST]}…"
        return f"{self.where}: {_RUNS[self.sort]} `{shown}`"


_RUNS = {
    LoadCommandKind.INLINE: "the host would run this while it loads the skill, without asking:",
    LoadCommandKind.HOOK: "the host would run this as a hook of the skill, which can change what was agreed to:",
    LoadCommandKind.UNREAD: "the front matter cannot be read, so it may name hooks; correct it:",
}


def load_time_commands(skill: Skill) -> tuple[LoadTimeCommand, ...]:
    """Return all such commands of a skill. Front matter that cannot be read may have hooks."""
    return tuple(one for document in skill.documents for one in in_document(document))


def in_document(document: Document) -> Iterator[LoadTimeCommand]:
    """Return the commands of that kind in one text."""
    from remit.skill.frontmatter import hook_commands  # noqa: PLC0415  it brings YAML

    for bang in document.bangs:
        yield LoadTimeCommand(LoadCommandKind.INLINE, f"{document.path}:{bang.line}", bang.text.strip())
    if document.role not in ("skill", "command"):
        return
    for command, line in hook_commands(document.front_matter):
        yield LoadTimeCommand(LoadCommandKind.HOOK, f"{document.path}:{line}", command)
    if document.front_matter.problem:
        yield LoadTimeCommand(LoadCommandKind.UNREAD, document.path, document.front_matter.problem)


def forbidden(host: str, home: Path, workspace: Path, state: Path) -> frozenset[LoadCommandKind]:
    """Return which of them the settings of a host forbid in a workspace."""
    if host != CLAUDE_CODE:
        return frozenset()
    from remit.guard.install.claude_checks import look  # noqa: PLC0415  few skills need it

    seen = look(Site(home, workspace, state))
    found = set()
    if seen.no_inline_shell:
        found.add(LoadCommandKind.INLINE)
    if seen.ours_alone:
        found |= {LoadCommandKind.HOOK, LoadCommandKind.UNREAD}
    return frozenset(found)
