"""Something is encoded so that nobody reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.encoded import decoded_spans
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, kind_of
from remit.findings.model import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_CODE = re.compile(
    r"/dev/tcp/|\b(?:curl|wget|bash|sh) -|\bbash -i|child_process|\bos\.system|subprocess|\beval\(|\bexec\(|Invoke-|/bin/(?:ba)?sh|\brm -rf|\bchmod \+x|nc -",
)
_ORDER = re.compile(
    r"\b(?:ignore (?:all|any|previous|prior)|do not (?:mention|tell|inform)|you must|send (?:the|all|their|its|it)|read the user|instruction|system prompt|disregard)\b",
    re.IGNORECASE,
)
_LONGEST_LINE = 20_000


def find(subject: Subject) -> Iterator[Finding]:
    """Readable texts that stand encoded in documents, scripts and data."""
    for file in subject.skill.files:
        if file.kind in ("image", "font", "media", "archive"):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            if len(line) > _LONGEST_LINE or len(line) < _SHORTEST:
                continue
            for _, text in decoded_spans(line):
                if what := _what(text):
                    where = Location(file.path, number)
                    yield by_text(
                        RULE, subject, where, " ".join(text.split()), Severity.HIGH, f"hides {what} by encoding it"
                    )


_SHORTEST = 24


def _what(text: str) -> str:
    if _CODE.search(text):
        return "a command"
    if _ORDER.search(text):
        return "an order to the agent"
    found = URL.search(text)
    if found and len(text) < 200 and kind_of(found[1]) not in ("local", "code"):
        return f"the address {found[1]}"
    return ""


RULE = Rule(
    "encoded-text",
    "hidden text",
    "a text, a host or a command is encoded so that nobody reads it",
    Severity.HIGH,
    "There is no honest reason to encode an order, a command or the address to which data goes.",
    "Encoded pictures, keys and test data: only readable texts that hold an address, a command or an order count.",
    "Write it in plain text.",
    find,
)
