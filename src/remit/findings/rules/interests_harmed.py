"""The user's money, code or choices are turned to the gain of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_orders
from remit.findings.model import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to divert money, to weaken code and to steer choices."""
    return by_orders(RULE, subject)


RULE = Rule(
    "interests-harmed",
    "orders",
    "the agent is told to harm the user for the gain of others",
    Severity.HIGH,
    "Payments to a fixed account, ways into the user's code, and recommendations that are paid for without saying so serve the"
    " author of the text and not the person for whom the agent works.",
    "Accounts that the user names, fees and links that the text tells the user of.",
    "Remove the order, or let the user decide with all facts.",
    find,
)
