"""The agent makes or delivers a lure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to make or deliver such a message."""
    if is_about(subject, "attacks"):
        return
    yield from by_orders(RULE, subject)


RULE = Rule(
    "phishing-material",
    "orders",
    "the agent is told to create or send a lure for credentials",
    Severity.HIGH,
    "A message that asks people to log in again for an invented reason steals their accounts in the user's name.",
    "Skills that teach or detect phishing.",
    "Remove it.",
    find,
)
