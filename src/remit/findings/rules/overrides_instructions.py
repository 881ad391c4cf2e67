"""The text sets other instructions aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.purpose import is_about
from remit.findings.surroundings import acts_near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders that set others aside."""
    about = is_about(subject, "attacks")
    for order in ordered(subject, "override"):
        hard = order.hidden or acts_near(subject, order)
        severity = Severity.LOW if about else Severity.HIGH if hard else Severity.MEDIUM
        yield by_order(RULE, subject, order, severity, "tells the agent to set other instructions aside")


RULE = Rule(
    "overrides-instructions",
    "orders",
    "the text sets other instructions aside or speaks as the system",
    Severity.HIGH,
    "A skill adds to what the agent is told. One that overrules the system, the developer or the user wants"
    " what they would not allow.",
    "Quoted attacks, lists of what to look for, and skills about attacks.",
    "Remove the sentence: a skill needs no priority over the user.",
    find,
)
