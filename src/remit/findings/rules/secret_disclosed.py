"""The agent is told to pass credentials on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to pass credentials on."""
    return by_orders(RULE, subject)


RULE = Rule(
    "secret-disclosed",
    "orders",
    "the agent is told to pass on credentials",
    Severity.HIGH,
    "Every reader can use a credential that the agent sends, publishes or writes into a result.",
    "A credential that goes to its own service; advice on keeping credentials safe.",
    "Let a script use the credential where it is needed, and keep it out of text.",
    find,
)
