"""Messages are copied to a hidden recipient."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_orders, by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_ADDRESS = lazy_pattern(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_COPY = lazy_pattern(r"\bbcc\b[^\n]{0,60}?[\w.+-]{1,64}@[\w-]{1,63}\.\w", re.IGNORECASE)
_PLACEHOLDER = lazy_pattern(
    r"@(?:example|test|company|domain|your|email|acme|corp|mail|foo|x)\b|(?:someone|user|you|name|secret|manager|team|boss|person|bcc|recipient|archive)\w*@",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to copy messages, and addresses that scripts add."""
    yield from by_orders(RULE, subject)
    for file, code in scripts(subject):
        for number, line in code.lines.items() if code.has("bcc") else ():
            if "@" in line and (found := _COPY.search(line)) and not _PLACEHOLDER.search(line):
                named = _ADDRESS.search(found[0] + line[found.end() :])
                message = f"copies your messages to {named[0] if named else 'a fixed address'}"
                yield by_text(RULE, subject, Location(file, number), line.strip(), Severity.HIGH, message)


RULE = Rule(
    "hidden-recipient",
    "orders",
    "messages also go to a recipient that the user did not name",
    Severity.HIGH,
    "A blind copy or a replaced address gives every message to a recipient that neither sender nor receiver sees.",
    "Copies that the user asks for.",
    "Send messages only to recipients that the user names.",
    find,
)
