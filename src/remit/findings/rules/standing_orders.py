"""The skill acts in every conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import acts_near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Standing orders, and orders to copy the text on."""
    for order in ordered(subject, "every-time"):
        yield by_order(RULE, subject, order, Severity.LOW, "acts in every conversation")
    for order in ordered(subject, "propagate"):
        severity = Severity.HIGH if order.hidden or acts_near(subject, order) else Severity.MEDIUM
        yield by_order(RULE, subject, order, severity, "spreads its own text to other skills, agents or memory")


RULE = Rule(
    "standing-orders",
    "orders",
    "the skill acts in every conversation or spreads itself",
    Severity.HIGH,
    "A skill is loaded for a task. One that acts in every conversation, or copies itself into memory and other"
    " skills, takes over the agent.",
    "Rules about style and form that hold for a project.",
    "Act only on the task for which the skill was loaded.",
    find,
)
