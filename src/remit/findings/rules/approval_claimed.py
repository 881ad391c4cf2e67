"""The text claims an approval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Claims of approval."""
    return by_orders(RULE, subject)


RULE = Rule(
    "approval-claimed",
    "orders",
    "the text claims an approval that the user did not give",
    Severity.HIGH,
    "A text cannot know what a person approved. The claim makes the agent skip a question or a check.",
    "Steps that follow an approval in the same procedure.",
    "Ask the user.",
    find,
)
