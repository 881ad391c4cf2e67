"""The agent disables checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to disable or to get around checks."""
    return by_orders(RULE, subject)


RULE = Rule(
    "guards-disabled",
    "weakening",
    "the agent is told to disable or bypass safety checks",
    Severity.HIGH,
    "Checks for injections, signatures or approvals exist to stop what a malicious text wants.",
    "Text that describes or tests such checks, and sections that warn of it.",
    "Keep the check, and report where it gets in the way.",
    find,
)
