"""The text tells the agent to keep something from the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to hide; grave where the text or a command says what is hidden."""
    return by_orders(RULE, subject)


RULE = Rule(
    "hides-from-user",
    "orders",
    "the agent is told to hide an action from the user",
    Severity.HIGH,
    "An honest skill has nothing to hide from the person that the agent works for.",
    "Instructions about output format, quoted attacks, and sections that warn of such orders.",
    "Remove the sentence, or say openly what the skill does.",
    find,
)
