"""A text from elsewhere decides what the agent does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to follow a text from elsewhere."""
    return by_orders(RULE, subject)


RULE = Rule(
    "remote-instructions",
    "remote code",
    "instructions from outside the skill decide what the agent does",
    Severity.HIGH,
    "The author of the page or file decides what the agent does, after the skill was reviewed and on every run.",
    "Documentation that is only read, files that the user names, the skill's own files, configuration of known tools.",
    "Put the instructions into the skill.",
    find,
)
