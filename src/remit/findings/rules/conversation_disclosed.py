"""The conversation is sent away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.hosts import URL
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.trust import publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_SHARING = frozenset(
    "conversation conversations chat chats transcript transcripts share log logging session sessions memory history".split()
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to send the conversation."""
    for order in ordered(subject, "conversation-out"):
        found = URL.search(order.text)
        announced = not _SHARING.isdisjoint(subject.announced)
        unknown = found is not None and not publisher_known(subject, found[1].lower(), found[2] or "")
        severity = Severity.HIGH if unknown and not announced else Severity.LOW if announced else Severity.MEDIUM
        yield by_order(
            RULE, subject, order, severity, f"sends your conversation to {found[1] if found else 'a server'}"
        )


RULE = Rule(
    "conversation-disclosed",
    "orders",
    "what was said to the agent is sent away",
    Severity.HIGH,
    "A conversation holds what the user wrote in confidence, and the system prompt what the host relies on.",
    "Skills whose description says that they share or log conversations.",
    "Send only what the task needs, and ask first.",
    find,
)
