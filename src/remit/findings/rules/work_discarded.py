"""Commits or uncommitted work are thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.commandtable import CommandRow, rows
from remit.findings.evidence import by_command
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.commandlines import CommandLine
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that throw work away."""
    known = rows("discards")
    about = is_about(subject, "git")
    rewrites = is_about(subject, "history")
    found = [
        (command, row)
        for command in subject.commands
        for row in known.get(command.program, ())
        if row.matches(command.words)
    ]
    gone = _for_good(found)
    for command, row in found:
        unattended = command.basis in (Basis.SCRIPT, Basis.HOOK)
        severity = Severity.MEDIUM if unattended and not about else Severity.LOW
        if command.where.file in gone:
            severity = Severity.MEDIUM if rewrites else Severity.HIGH
        yield by_command(RULE, command, severity, row.meaning)


def _for_good(found: list[tuple[CommandLine, CommandRow]]) -> set[str]:
    """Scripts that rewrite history, and destroy the copy of others or what would bring it back as well."""
    acts: dict[str, set[str]] = {}
    for command, _ in found:
        if command.basis in (Basis.SCRIPT, Basis.HOOK):
            acts.setdefault(command.where.file, set()).add(next(iter(command.words), ""))
    return {file for file, names in acts.items() if names & _REWRITES and names & {"push", "reflog"}}


_REWRITES = frozenset({"filter-branch", "filter-repo"})


RULE = Rule(
    "work-discarded",
    "destruction",
    "commits or uncommitted work are discarded",
    Severity.HIGH,
    "A forced push, a hard reset or a rewritten history destroys work of the user and of others.",
    "Work that only this machine holds is medium in a script that runs unattended and low elsewhere. Rewriting shared history is medium in skills about it.",
    "Use `--force-with-lease`, create a backup branch, and ask first.",
    find,
)
