"""Orders stand where only a model reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.invisible import HIDDEN_ORDER, HIDING_STYLE
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_ABOUT = lazy_pattern(r"\b(?:removed|original|injection|attack|malicious|example|detected)\b", re.IGNORECASE)
_HARD = lazy_pattern(
    r"https?://|~/\.|\.ssh|\.aws|\.env\b|password|credential|api[ _-]?key|secret|token|\b(?:do not|don't|never) (?:mention|tell|inform|reveal|show)|ignore (?:all|any|previous|prior)"
    r"|curl |wget |base64",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders in comments, in what is encoded in comments, and in invisible style."""
    for passage in subject.reading.passages:
        if passage.hidden:
            yield from _judged(subject, Location(passage.file, passage.line), passage.text)
        elif "<" in passage.text and (found := HIDING_STYLE.search(passage.text)):
            yield from _judged(subject, Location(passage.file, passage.line), found[1] or found[2])


def _judged(subject: Subject, where: Location, text: str) -> Iterator[Finding]:
    if found := HIDDEN_ORDER.search(text):
        severity = Severity.HIGH if _HARD.search(text) else Severity.LOW
        if severity is Severity.HIGH and (is_about(subject, "attacks") or _ABOUT.search(text, 0, found.start())):
            severity = Severity.MEDIUM
        yield by_text(
            RULE, subject, where, " ".join(text.split()), severity, "gives the agent orders that the page does not show"
        )


RULE = Rule(
    "hidden-orders",
    "hidden text",
    "orders are hidden where only a model reads them",
    Severity.HIGH,
    "A comment or invisible text does not appear on the rendered page. Orders there are for the agent and hidden from the person.",
    "Authors' notes to themselves, licence headers, generator markers, and comments that ask for nothing.",
    "State openly what the agent should do, or remove the comment.",
    find,
)
