"""Something is encoded to hide it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.encoded import decoded_spans
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, kind_of
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_CODE = lazy_pattern(
    r"/dev/tcp/|\b(?:curl|wget|bash|sh) -|\bbash -i|child_process|\bos\.system|subprocess|\beval\(|\bexec\(|Invoke-|/bin/(?:ba)?sh|\brm -rf|\bchmod \+x|nc -"
)
_ORDER = lazy_pattern(
    r"\b(?:ignore (?:all|any|previous|prior)|do not (?:mention|tell|inform)|you must|send (?:the|all|their|its|it)|read the user|instruction|system prompt|disregard)\b",
    re.IGNORECASE,
)
_LARGEST = 1_000_000  # bytes of a file


def find(subject: Subject) -> Iterator[Finding]:
    """Readable texts that stand encoded in documents, scripts and data."""
    severity = Severity.MEDIUM if is_about(subject, "attacks") else Severity.HIGH
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or file.link or len(data) > _LARGEST or b"\0" in data[:1024]:
            continue
        source = data.decode("utf-8", "replace")
        for at, text in decoded_spans(source):
            if what := _what(text):
                where = Location(file.path, source.count("\n", 0, at) + 1)
                yield by_text(RULE, subject, where, " ".join(text.split()), severity, f"hides {what} by encoding it")


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
    "a text, a host or a command is encoded to hide it",
    Severity.HIGH,
    "There is no honest reason to encode an order, a command or a destination.",
    "Encoded pictures, keys and test data. Only readable text that contains an address, a command or an order counts.",
    "Write it in plain text.",
    find,
)
