"""Commits or uncommitted work are thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.commandtable import rows
from remit.findings.evidence import by_command
from remit.findings.model import Basis, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that throw work away."""
    known = rows("discards")
    about = is_about(subject, "git")
    for command in subject.commands:
        for row in known.get(command.program, ()):
            if row.matches(command.words):
                unattended = command.basis in (Basis.SCRIPT, Basis.HOOK)
                severity = Severity.MEDIUM if unattended and not about else Severity.LOW
                yield by_command(RULE, command, severity, row.meaning)


RULE = Rule(
    "work-discarded",
    "destruction",
    "commits or uncommitted work are thrown away",
    Severity.MEDIUM,
    "A forced push, a hard reset or a rewritten history destroys work of the user and of others, and cannot be"
    " taken back by them.",
    "Git skills that describe the command to a person are only noted; scripts that run it unattended are to be"
    " looked at.",
    "Use `--force-with-lease`, make a backup branch, and ask first.",
    find,
)
