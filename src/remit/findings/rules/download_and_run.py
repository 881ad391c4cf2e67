"""A command fetches code and runs it at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.findings.evidence import by_effect, by_text
from remit.findings.hosts import URL, WORDS, is_installer, kind_of
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_RUNS = lazy_pattern(
    r"\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/\S*/)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|php|iex)\b(?!\s+-[mc]\b)(?!\s+-\w*c\s)"
    r"(?!\s+(?!/dev/|/proc/|\d*[<>&])[\w./~][^\s|;&)\"'`]*)"
    r"|<\(\s*(?:curl|wget)\b|\b(?:eval|exec|source|Function|iex|Invoke-Expression)\b|\b(?:ba|z|da)?sh\s+-c\s+[\"']?\$\(",
    re.IGNORECASE,
)

_PIECES = lazy_pattern(r"[\"']\s*\+\s*[\"']")
_STARTS = lazy_pattern(r"\s*(?:[$>]\s*)?(?:sudo\s+)?(?:[\"']command[\"']\s*:\s*[\"'])?\s*\Z")
_PIPED = lazy_pattern(
    r"\b(?:curl|wget)\b[^|\n]{0,200}?https?://([\w.-]+\.\w+)[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:\w+=\S+\s+)?(?:/\S*/)?(?:ba|z|da)?sh\b"
    r"|(?:(?:\bsource|\s\.|^\.|\b(?:ba|z|da)?sh)\s+<\(|\b(?:eval|(?:ba|z|da)?sh\s+-c)\s+[\"']?(?:\$\(|`))\s*(?:curl|wget)\b[^)\n]{0,200}?https?://([\w.-]+\.\w+)"
    r"|\b(?:exec|eval)\(\s*(?:\w+\.)*(?:urlopen|get|fetch)\(\s*\\?[\"']https?://([\w.-]+\.\w+)"
    r"|\bfetch\(\s*\\?[\"'`]https?://([\w.-]+\.\w+)[^\n]{0,80}?\b(?:eval|Function)\b|\b(?:eval|Function)\([^\n]{0,40}?fetch\(\s*\\?[\"'`]https?://([\w.-]+\.\w+)"
    r"|\b(?:iwr|irm|curl|Invoke-WebRequest|Invoke-RestMethod|DownloadString\()\b[^|\n]{0,80}?https?://([\w.-]+\.\w+)[^\n]{0,40}?\|\s*(?:iex|Invoke-Expression)\b"
)


def find(subject: Subject) -> Iterator[Finding]:
    """Lines that fetch and run at once."""
    for effect in subject.with_capability("web.fetch"):
        line = subject.line(effect.where)
        runs = _RUNS if len(line) <= _LONG else _PIPED  # a packed library has both somewhere
        if isinstance(effect.scope, HostScope) and runs.search(line) and _executes(subject, effect):
            severity = _severity(subject, effect.scope, line)
            if severity is not None:
                kind = WORDS.get(kind_of(effect.scope.host), "")
                whose = f"{effect.scope.host}, {kind}," if kind else effect.scope.host
                yield by_effect(
                    RULE, subject, effect, severity, f"runs code from {whose} that is not part of the skill"
                )

    yield from _unparsed(subject)


_LONG = 2000  # characters of a line that people write
_MARKS = (b"curl", b"wget", b"urlopen", b"fetch(", b".get(", b"iwr ", b"irm ")
_SETTINGS = (".tf", ".hcl", ".nix", ".vim", ".el", ".lua", ".toml", ".service", ".plist", ".desktop")


def _unparsed(subject: Subject) -> Iterator[Finding]:
    """Lines of code blocks in which no command was found, and text that scripts put together, with a pipe into a shell."""
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if (
            data is None
            or not any(mark in data for mark in _MARKS)
            or not (file.languages or file.path in subject.documents or file.path.endswith(_SETTINGS))
        ):
            continue
        for number, raw in enumerate(subject.lines(file.path), 1):
            if (
                not ("|" in raw or "(" in raw)
                or raw.lstrip().startswith("#")
                or _is_seen(subject, Location(file.path, number))
            ):
                continue
            line = _PIECES.sub("", raw)
            if (
                "://" not in line
                or not (found := _PIPED.search(line))
                or (file.path in subject.documents and not _STARTS.match(line[: found.start()]))
            ):
                continue
            scope = HostScope(next(filter(None, found.groups())).lower())
            severity = Severity.HIGH if line != raw else _severity(subject, scope, line)
            if severity is not None:
                message = f"runs code from {scope.host} that is not part of the skill"
                yield by_text(RULE, subject, Location(file.path, number), raw.strip(), severity, message)


def _is_seen(subject: Subject, where: Location) -> bool:
    """Whether the analysis has read the command on a line: in a document any, in a script one that fetches."""
    here = subject.by_line.get(where, ())
    return bool(here) and (where.file in subject.documents or any(effect.capability == "web.fetch" for effect in here))


def _executes(subject: Subject, fetch: Effect) -> bool:
    return any(effect.capability in ("shell.execute", "source.execute") for effect in subject.by_line[fetch.where])


def _severity(subject: Subject, scope: HostScope, line: str) -> Severity | None:
    """By who publishes the code; None for a vendor's own installer."""
    path = next((found[2] or "" for found in URL.finditer(line) if found[1].lower() == scope.host), "")
    if kind_of(scope.host) == "local" or is_installer(scope.host, path):
        return None
    if is_anonymous(scope.host):
        return Severity.HIGH
    known = publisher_known(subject, scope.host, path) or ("mentioned" if kind_of(scope.host) == "code" else "")
    if known == "announced" and (scope.host in subject.written or kind_of(scope.host) == "code"):
        return Severity.LOW
    return Severity.MEDIUM if known == "mentioned" else Severity.HIGH


RULE = Rule(
    "download-and-run",
    "remote code",
    "a command runs code that it has just downloaded",
    Severity.HIGH,
    "The owner of the address decides what runs on the machine, on every run, and the code cannot be reviewed in advance.",
    "Vendors' own installers of well-known tools, installers of the product that the skill is about, and local hosts.",
    "Install a released version from a package registry, or download a file, verify its digest and then run it.",
    find,
)
