"""Something is hidden in results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import outside_file, reads_keys_near, speaks_of_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_TRACKS = re.compile(r"\b(?:affiliate|track(?:er|ing)|attribution|referral|beacon)\b", re.IGNORECASE)
_ACCESSIBLE = re.compile(
    r"\b(?:aria|accessib\w*|screen[- ]?readers?|sr-only|a11y|tooltip|hover|toggle|collaps\w*|menu|css|wcag|alt text)\b",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to hide something in a result."""
    for order in ordered(subject, "hidden-output"):
        if _ACCESSIBLE.search(order.passage):
            continue
        grave = (
            outside_file(order.passage)
            or speaks_of_secrets(order.passage)
            or reads_keys_near(subject, order)
            or _TRACKS.search(order.passage)
        )
        severity = Severity.HIGH if grave else Severity.LOW
        yield by_order(RULE, subject, order, severity, "hides something in the files that it makes for you")


RULE = Rule(
    "hidden-output",
    "orders",
    "something is hidden in what the user gets or passes on",
    Severity.HIGH,
    "Hidden sheets, comments and invisible elements carry data or orders to every recipient of the file,"
    " without the knowledge of its author.",
    "Helper sheets and comments that the text mentions to the user; invisible labels for screen readers.",
    "Put nothing into a result that the user does not see.",
    find,
)
