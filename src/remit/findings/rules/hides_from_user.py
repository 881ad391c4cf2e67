"""The text tells the agent to keep something from the user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import acts_near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

# What is kept from the user may be noise: form, progress and inner names.
_FORM = re.compile(
    r"\b(?:internal (?:names?|terms?|ids?|identifiers|details|state|reasoning|mechanics|jargon)|raw|json|format\w*|verbose|technical|jargon|stack traces?|file ?names?|tool names?|tags?"
    r"|cost estimates?|score|phase names?|implementation|codes?|tokens? used|unless (?:asked|they ask|requested)|errors? (?:codes?|messages?)|until|credentials?|passwords?|secrets?|keys?)\b",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to hide; grave where something is done that may be what is hidden."""
    for order in ordered(subject, "hide"):
        hard = order.hidden or acts_near(subject, order)
        severity = (
            Severity.LOW if _FORM.search(order.text) and not order.hidden else Severity.HIGH if hard else Severity.LOW
        )
        yield by_order(RULE, subject, order, severity, "tells the agent to hide something from you")


RULE = Rule(
    "hides-from-user",
    "orders",
    "the agent is told to keep an action from the user",
    Severity.HIGH,
    "An honest skill has nothing to hide from the person for whom the agent works.",
    "Words about the form of the output, quoted attacks, and sections that warn of such orders.",
    "Remove the sentence, or say openly what the skill does.",
    find,
)
