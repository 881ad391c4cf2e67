"""An archive with a password is unpacked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_command, by_text
from remit.findings.hosts import URL
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_UNPACKS = frozenset({"unzip", "7z", "7za", "7zz", "unrar", "rar"})
_GIVEN = lazy_pattern(
    r"\b(?:extract|unzip|unpack|archive|zip|rar|7z|exe|download)\w*\b[^\n]{0,160}?\b(?:pass(?:word|code|phrase)?|pwd|pw)\b\s*(?:is|:|=|-)?\s*[`'\"*:]+\s*[\w!@#$%.-]{3,}",
    re.IGNORECASE,
)
_ARCHIVE = lazy_pattern(
    r"\.(?:zip|rar|7z|exe|msi|dmg|pkg|tgz|gz)\b|/releases?/|\bzip\b|\barchive\b|\bexecutable\b", re.IGNORECASE
)


def find(subject: Subject) -> Iterator[Finding]:
    """Commands with a password, and texts that give one for a download."""
    for command in subject.commands:
        if command.program in _UNPACKS and any(
            word.startswith(("-P", "-p")) and word != "-p" for word in command.words
        ):
            yield by_command(RULE, command, Severity.MEDIUM, "unpacks an archive with a password from the skill")
    for passage in subject.reading.passages:
        if "://" in passage.text and _ARCHIVE.search(passage.text) and (found := _GIVEN.search(passage.text)):
            host = URL.search(passage.text)
            where = Location(passage.file, passage.line)
            from_host = f" from {host[1]}" if host else ""
            yield by_text(
                RULE,
                subject,
                where,
                found[0],
                Severity.HIGH,
                f"wants a password-protected program{from_host} to be run",
            )


RULE = Rule(
    "password-archive",
    "hidden code",
    "an archive with a password is unpacked",
    Severity.HIGH,
    "A password keeps scanners out of an archive. A password next to the download protects nothing else.",
    "The user's own archives, and skills that create such archives.",
    "Publish the program without a password, with its digest.",
    find,
)
