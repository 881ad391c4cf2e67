"""A miner is started."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_POOL = b"stratum+"


def find(subject: Subject) -> Iterator[Finding]:
    """Miners that are started, and addresses of pools."""
    severity = Severity.MEDIUM if is_about(subject, "mining") else Severity.HIGH
    known = rows("miners")
    for command in subject.commands:
        if any(row.matches(command.words) for row in known.get(command.program, ())):
            yield by_command(RULE, command, severity, f"mines coins with {command.program} on your machine")
            return
    for path, data in subject.skill.contents.items():
        if _POOL in data:
            number = data[: data.index(_POOL)].count(b"\n") + 1
            where = Location(path, number)
            yield by_text(RULE, subject, where, subject.line(where), severity, "names a pool for mining coins")


RULE = Rule(
    "crypto-miner",
    "beyond description",
    "the skill starts a coin miner",
    Severity.HIGH,
    "A miner uses the user's processor, power and time for someone else.",
    "Nothing. Skills about mining get a medium finding.",
    "Remove it, or say in the description that the skill mines and for whom.",
    find,
)
