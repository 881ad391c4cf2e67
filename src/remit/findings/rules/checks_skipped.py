"""Checks are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.commandtable import rows
from remit.findings.evidence import by_command
from remit.findings.model import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that skip checks."""
    known = rows("checks")
    for command in subject.commands:
        for row in known.get(command.program, ()):
            if row.matches(command.words):
                yield by_command(RULE, command, Severity.LOW, f"skips {row.meaning}")


RULE = Rule(
    "checks-skipped",
    "weakening",
    "checks of a project are skipped",
    Severity.LOW,
    "Hooks and signatures are there so that secrets, broken or unsigned code do not get through.",
    "Sections that warn of it.",
    "Run the checks and mend what they find.",
    find,
)
