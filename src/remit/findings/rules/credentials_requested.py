"""The user is asked for credentials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to ask for a credential and to pass it on."""
    return by_orders(RULE, subject)


RULE = Rule(
    "credentials-requested",
    "orders",
    "the user is asked for a credential that is then passed on",
    Severity.HIGH,
    "Passwords, seed phrases and card numbers that are typed into a conversation are stored with it and go"
    " wherever the text says.",
    "Names of variables to set, keys of the service that the skill is about.",
    "Let the user set the credential where the tool reads it.",
    find,
)
