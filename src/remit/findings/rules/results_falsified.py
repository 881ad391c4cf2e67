"""Results are left out or made up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import outside_file, text_near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


# People who decide by what the result says.
_READERS = re.compile(r"\b(?:reviewer|auditor|inspector|regulator|compliance)\b", re.IGNORECASE)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to leave out or to make up; grave where a file from outside says which."""
    for order in ordered(subject, "falsify"):
        outside = outside_file(order.passage) or outside_file(text_near(subject, order))
        severity = Severity.HIGH if outside or order.hidden or _READERS.search(order.passage) else Severity.LOW
        message = (
            "lets a file from outside decide what the report leaves out"
            if outside
            else "tells the agent to leave out or make up results"
        )
        yield by_order(RULE, subject, order, severity, message)


RULE = Rule(
    "results-falsified",
    "orders",
    "results, evidence or checks are to be left out or made up",
    Severity.HIGH,
    "The person who reads the report decides by what it says. Findings that are dropped and evidence that is"
    " invented deceive that person.",
    "Filters that the user asks for, duplicates, style and noise.",
    "Report everything, with its state.",
    find,
)
