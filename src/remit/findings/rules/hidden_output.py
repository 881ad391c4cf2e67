"""Something is hidden in results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to hide something in a result."""
    return by_orders(RULE, subject)


RULE = Rule(
    "hidden-output",
    "orders",
    "the result contains something that the user does not see",
    Severity.HIGH,
    "Hidden sheets, comments and invisible elements carry data or orders to every recipient of the file, without the user's knowledge.",
    "Helper sheets and comments that the text mentions to the user; invisible labels for screen readers.",
    "Put only visible content into results.",
    find,
)
