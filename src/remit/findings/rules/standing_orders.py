"""The skill acts in every conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders for every conversation, orders written into memory, and orders to copy the text on."""
    return by_orders(RULE, subject)


RULE = Rule(
    "standing-orders",
    "orders",
    "the skill acts in every conversation, or spreads itself",
    Severity.HIGH,
    "A skill is loaded for a task. One that acts in every conversation, or copies itself into memory and other"
    " skills, takes over the agent.",
    "Rules about style and form for a project.",
    "Act only on the task that the skill was loaded for.",
    find,
)
