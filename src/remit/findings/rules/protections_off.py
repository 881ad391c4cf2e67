"""A protection of the machine is switched off."""

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
    """Commands that switch protections off."""
    known = rows("protections")
    for command in subject.commands:
        for row in known.get(command.program, ()):
            if row.matches(command.words):
                yield by_command(RULE, command, Severity.MEDIUM, f"switches off {row.meaning}")


RULE = Rule(
    "protections-off",
    "weakening",
    "a protection of the machine is switched off",
    Severity.MEDIUM,
    "Firewall, malware scanner, code signing and sandbox protect everything on the machine, not only what the"
    " skill works on.",
    "Samples and sections that warn of it.",
    "Leave the protections of the machine alone; ask for the one exception that is needed.",
    find,
)
