"""A program is demanded that the skill never uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, WORDS, is_installer, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.trust import is_anonymous, publisher_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.orders import Passage
    from remit.findings.subject import Subject

_DEMANDS = re.compile(
    r"\b(?:download(?:ed|ing)?|install(?:ed|ing|er)?|extract|run (?:it|the|this|openclaw\S*)|copy the command|execute|paste)\b",
    re.IGNORECASE,
)
_INSISTS = re.compile(
    r"\b(?:require[sd]?|must|mandatory|necessary|prerequisites?|before (?:using|you|start\w*|proceed\w*)|need(?:s|ed)? to|will not work|won't work|first\b|important|critical|only works)"
    r"|\bdownload and (?:install|run)\b",
    re.IGNORECASE,
)
_SYSTEMS = re.compile(r"\bwindows\b[^\n]{0,300}\bmac ?os\b|\bmac ?os\b[^\n]{0,300}\bwindows\b", re.IGNORECASE)


def find(subject: Subject) -> Iterator[Finding]:
    """Passages that insist on a download from nobody in particular."""
    for passage in subject.passages:
        if "://" not in passage.text or not _DEMANDS.search(passage.text):
            continue
        for found in URL.finditer(passage.text):
            severity = _severity(subject, passage, found[1].lower(), found[2] or "")
            if severity is not None:
                kind = WORDS.get(kind_of(found[1].lower()), "")
                whose = f"{found[1]} ({kind})" if kind else found[1]
                where = Location(passage.file, passage.line)
                message = f"demands a program from {whose} that it never uses"
                yield by_text(RULE, subject, where, " ".join(passage.text.split()), severity, message)
                break


def _severity(subject: Subject, passage: Passage, host: str, path: str) -> Severity | None:
    kind = kind_of(host)
    insists = _INSISTS.search(passage.text) or _SYSTEMS.search(passage.text) or _INSISTS.search(passage.heading)
    if not insists or kind in ("local", "code") or is_installer(host, path):
        return None
    if is_anonymous(host):
        return Severity.HIGH
    words = publisher_words(host, path)
    used = words & subject.announced or words & subject.mentioned
    if used or not words or path.endswith((".md", ".html", ".pdf", ".json")) or "/docs" in path:
        return None
    return Severity.HIGH if kind == "hosting" or _SYSTEMS.search(passage.text) else Severity.LOW


RULE = Rule(
    "fake-prerequisite",
    "remote code",
    "a program is demanded that the skill never uses",
    Severity.HIGH,
    "A download that the text insists on, from a place where anybody can put a file, and that nothing in the"
    " skill uses, is how malware is spread.",
    "Programs that the rest of the skill uses, vendors' own sites, package registries.",
    "Remove the download, or name the publisher and use the program.",
    find,
)
