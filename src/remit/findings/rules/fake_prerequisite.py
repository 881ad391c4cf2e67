"""A program is demanded that the skill never uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, WORDS, is_installer, kind_of
from remit.findings.lookalikes import imitated_brand
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known, publisher_names

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_DEMANDS = lazy_pattern(
    r"\b(?:download(?:ed|ing)?|install(?:ed|ing|er)?|extract|run (?:it|the|this)|copy the command|execute|paste|quick setup|set ?up)\b",
    re.IGNORECASE,
)
_INSISTS = lazy_pattern(
    r"\b(?:require[sd]?|must|mandatory|necessary|prerequisites?|before (?:using|you|start\w*|proceed\w*)|need(?:s|ed)? to|will not work|won't work|first\b|important|critical|only works)"
    r"|\bdownload and (?:install|run)\b|\bquick setup\b",
    re.IGNORECASE,
)
_NOT_NEEDED = lazy_pattern(r"\b(?:no|not|without)\s+(?:\w+\s+){0,3}(?:require[sd]?|necessary|needed)\b", re.IGNORECASE)


def find(subject: Subject) -> Iterator[Finding]:
    """Passages that insist on a download from an unknown publisher."""
    for passage in subject.reading.passages:
        if "://" not in passage.text or not _DEMANDS.search(passage.text):
            continue
        if not (_INSISTS.search(_NOT_NEEDED.sub("", passage.text)) or _INSISTS.search(passage.heading)):
            continue
        here = subject.by_line.get(Location(passage.file, passage.line), ())
        sent = {
            effect.scope.host
            for effect in here
            if effect.capability == "web.post" and isinstance(effect.scope, HostScope)
        }
        for found in URL.finditer(passage.text):
            host = found[1].lower()
            if host in sent:
                continue  # data goes there, and nothing is demanded from there
            if what := _suspect(subject, host, found[2] or ""):
                where = Location(passage.file, passage.line)
                message = f"demands a program from {host}, {what}"
                finding = by_text(RULE, subject, where, " ".join(passage.text.split()), Severity.HIGH, message)
                yield finding._replace(basis=Basis.SAMPLE) if subject.is_mentioned(where) else finding
                break


def _suspect(subject: Subject, host: str, path: str) -> str:
    """What is wrong with the host of a demanded program; empty if nothing is."""
    kind = kind_of(host)
    if kind in ("local", "code") or is_installer(host, path) or publisher_known(subject, host, path) == "announced":
        return ""
    if is_anonymous(host):
        return WORDS[kind]
    if brand := imitated_brand(host):
        return f"which is not a site of {brand}"
    used = {command.program.lower() for command in subject.commands}
    if kind == "hosting" and used.isdisjoint(publisher_names(host)) and not path.strip("/"):
        return "free hosting, and never uses it"
    return ""


RULE = Rule(
    "fake-prerequisite",
    "remote code",
    "the text demands a program that the skill never uses",
    Severity.HIGH,
    "Malware spreads this way: the text insists on a download from a site where anyone can publish, and nothing in the skill uses it.",
    "Programs that the rest of the skill uses, vendors' own sites, package registries.",
    "Remove the download, or name the publisher and use the program.",
    find,
)
