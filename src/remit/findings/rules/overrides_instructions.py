"""The text sets other instructions aside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders that set others aside."""
    return by_orders(RULE, subject)


RULE = Rule(
    "overrides-instructions",
    "orders",
    "the text overrides other instructions, or poses as the system",
    Severity.HIGH,
    "A skill adds to the agent's instructions. One that overrules the system, the developer or the user wants what they would not allow.",
    "Quoted attacks, lists of what to look for, and skills about attacks.",
    "Remove the sentence: a skill needs no priority over the user.",
    find,
)
