"""The agent obeys a text from the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.hosts import URL
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.trust import is_anonymous

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to fetch a text and to follow it."""
    for order in ordered(subject, "follow-remote"):
        found = URL.search(order.text) or URL.search(order.passage)
        host = found[1].lower() if found else "the network"
        severity = Severity.HIGH if order.hidden or is_anonymous(host) else Severity.MEDIUM
        yield by_order(
            RULE,
            subject,
            order,
            severity,
            f"makes the agent follow instructions from {host} that can change at any time",
        )


RULE = Rule(
    "remote-instructions",
    "remote code",
    "the agent is told to obey a text from the network",
    Severity.HIGH,
    "The owner of the address decides what the agent does, after the skill was reviewed and at every run anew.",
    "Documentation that is only read.",
    "Put the instructions into the skill, with a version.",
    find,
)
