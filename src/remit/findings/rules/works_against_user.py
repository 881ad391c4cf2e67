"""A section of the text reads like an order that works against the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.evidence import by_text
from remit.findings.model import Rule, Severity
from remit.findings.order_score import scored
from remit.findings.orders import has_fixed_receiver, has_orders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.order_score import Scored
    from remit.findings.subject import Subject

# Hundredths of a unit of log odds. Of the public skills that are kept apart from a fit one in 100 has a section above the first, one in 180 one above the second.
_LEAST, _GRAVE = 125, 200


def find(subject: Subject) -> Iterator[Finding]:
    """Sections with a high score."""
    for section in scored(subject.reading, _LEAST):
        severity = Severity.HIGH if section.score >= _GRAVE or _is_backed(subject, section) else Severity.MEDIUM
        where = Location(section.file, section.line)
        yield by_text(RULE, subject, where, section.text, severity, "has orders that read as if they work against you")


def _is_backed(subject: Subject, section: Scored) -> bool:
    """Whether a section has more than words: an order that harms, or a receiver whose owner nothing names."""
    reading = subject.reading
    return has_orders(reading, section.passages) or any(has_fixed_receiver(reading, one) for one in section.passages)


RULE = Rule(
    "works-against-user",
    "orders",
    "a section of the text reads like an order against the user",
    Severity.HIGH,
    "Text can make an agent send, hide, change or promise things that its user would not want, in words that no list of phrases holds."
    " The section resembles such orders more than it resembles what honest skills say.",
    "Sections that warn of attacks, and texts to show or to copy. The score compares words and has no proof: read the section.",
    "Say in the description what the skill sends, changes or leaves out, and for whom.",
    find,
)
