"""Characters that a reader does not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.evidence import by_text
from remit.findings.invisible import disguised_word, hidden_text, invisible_in, may_hide
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Lines of documents and scripts with such characters."""
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or data.isascii() or not (file.path in subject.documents or file.languages):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            if line.isascii():
                continue
            where = Location(file.path, number)
            if word := disguised_word(line):
                message = f"writes {word} with letters of another script that look the same"
                yield by_text(RULE, subject, where, line.strip(), Severity.MEDIUM, message)
            if not may_hide(line):
                continue
            if said := hidden_text(line):
                yield by_text(
                    RULE, subject, where, said, Severity.HIGH, "hides a text in characters that a reader does not see"
                )
            elif found := invisible_in(line, first=number == 1):
                severity = Severity.MEDIUM if found == "turned" else Severity.LOW
                yield by_text(
                    RULE, subject, where, line.strip(), severity, "holds characters that a reader does not see"
                )


RULE = Rule(
    "invisible-characters",
    "hidden text",
    "the text contains characters that a reader does not see",
    Severity.HIGH,
    "A model reads characters that a person does not see: orders in tag characters, reversed or split words.",
    "Joiners in emoji and in scripts that need them, a byte order mark at the start, flags of regions.",
    "Remove the characters.",
    find,
)
