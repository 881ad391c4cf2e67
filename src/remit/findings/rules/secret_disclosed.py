"""The agent is told to pass credentials on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to pass credentials on."""
    return by_orders(RULE, subject)


RULE = Rule(
    "secret-disclosed",
    "orders",
    "the agent is told to pass credentials on",
    Severity.HIGH,
    "A credential that the agent sends, publishes or writes into a result can be used by every reader of it.",
    "A credential that goes to its own service, words about how to keep credentials safe.",
    "Let a script use the credential where it is needed, and never put it into text.",
    find,
)
