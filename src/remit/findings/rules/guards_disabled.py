"""The agent disables checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import outside_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to disable checks."""
    for order in ordered(subject, "disable-guard"):
        grave = order.hidden or outside_file(order.passage)
        yield by_order(
            RULE,
            subject,
            order,
            Severity.HIGH if grave else Severity.LOW,
            "tells the agent to disable a check that protects you",
        )


RULE = Rule(
    "guards-disabled",
    "weakening",
    "the agent is told to disable checks that protect",
    Severity.HIGH,
    "Checks for injections, signatures or approvals are there to stop what the author of a text may want.",
    "Reviews that speak of such checks, tests, sections that warn of it.",
    "Keep the check, and report where it stands in the way.",
    find,
)
