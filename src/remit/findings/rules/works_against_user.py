"""A part of the text reads like an order that works against the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.order_score import GRAVE, LEAST
from remit.findings.orders import Reading, has_fixed_receiver, has_orders

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Parts of the text with a high score; of those that overlap the worst."""
    reading, told = subject.reading, set[int]()
    for score, window in reading.scores.above(LEAST):
        numbers = {one.passage for one in window}
        if not told.isdisjoint(numbers):
            continue
        told |= numbers
        worst = max(window, key=lambda one: sum(one.weights.values()))
        passage, sentence = reading.passages[worst.passage], worst.sentence
        line = passage.line + sentence.lines_before
        grave = score >= GRAVE or (score >= 0 and _is_backed(reading, numbers))
        severity = Severity.HIGH if grave else Severity.MEDIUM
        message = "has orders that read as if they work against you"
        yield by_text(RULE, subject, Location(passage.file, line), " ".join(sentence.text.split()), severity, message)


def _is_backed(reading: Reading, passages: set[int]) -> bool:
    """Whether there is more than words, here or beside it: an order that harms, or a receiver whose owner nothing names."""
    near = {other for number in passages for other in reading.neighbours(number)}
    return has_orders(reading, near) or any(has_fixed_receiver(reading, one) for one in near)


RULE = Rule(
    "works-against-user",
    "orders",
    "a part of the text reads like an order against the user",
    Severity.HIGH,
    "Text can make an agent send, hide, change or promise things that its user would not want, in words that no phrase list contains. These sentences resemble such orders more than the text of honest skills.",
    "Sections that warn of attacks, and text to show or copy. The score compares words and proves nothing: read the sentences around it.",
    "Say in the description what the skill sends, changes or leaves out, and for whom.",
    find,
)
