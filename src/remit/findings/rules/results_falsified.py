"""Results are left out or made up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to leave out, to make up or to say what is not true."""
    return by_orders(RULE, subject)


RULE = Rule(
    "results-falsified",
    "orders",
    "the agent is told to omit findings, invent them or lie",
    Severity.HIGH,
    "People decide by what the report says. Omitted findings and invented evidence deceive them.",
    "Filters that the user asks for, duplicates, style and noise.",
    "Report everything, with its status.",
    find,
)
