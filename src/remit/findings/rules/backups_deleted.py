"""Backups of the user are deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that delete snapshots and backups, or switch recovery off."""
    known = rows("backups")
    announced = is_about(subject, "clean") or _TOLD.search(subject.text) is not None
    for command in subject.commands:
        if _KEPT.search(command.text):
            continue
        if any(row.matches(command.words) for row in known.get(command.program, ())):
            by_itself = command.basis in (Basis.SCRIPT, Basis.HOOK)
            severity = Severity.HIGH if by_itself and not announced else Severity.LOW if announced else Severity.MEDIUM
            yield by_command(RULE, command, severity, f"deletes backups by {command.program}")


_KEPT = lazy_pattern(r"--keep-(?:daily|weekly|monthly|yearly|within)")  # old ones are thinned out
_TOLD = lazy_pattern(
    r"\b(?:prun|forget|retention|rotat|expir|purg|lifecycle|thin(?:s|ned|ning)?\b|keeps? (?:the )?(?:last|newest|\d))"
)


RULE = Rule(
    "backups-deleted",
    "destruction",
    "backups or snapshots are deleted",
    Severity.HIGH,
    "Without backups, whatever is lost or encrypted next cannot be restored.",
    "Skills whose text says that they delete, prune or rotate backups, and commands that keep some backups of each age.",
    "Say in the description which old backups are deleted, and ask first.",
    find,
)
