"""A command fetches code and runs it at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.scope import HostScope
from remit.findings.evidence import by_effect
from remit.findings.hosts import URL, WORDS, is_installer, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.effect import Effect
    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_RUNS = re.compile(
    r"\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/\S*/)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|php|iex)\b(?!\s+-[mc]\b)(?!\s+-\w*c\s)"
    r"|<\(\s*(?:curl|wget)\b|\b(?:eval|exec|source|Function|iex|Invoke-Expression)\b|\b(?:ba|z|da)?sh\s+-c\s+[\"']?\$\(",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Lines that fetch and run at once."""
    for effect in subject.with_capability("web.fetch"):
        line = subject.line(effect.where)
        if isinstance(effect.scope, HostScope) and _RUNS.search(line) and _executes(subject, effect):
            severity = _severity(subject, effect.scope, line)
            if severity is not None:
                kind = WORDS.get(kind_of(effect.scope.host), "")
                whose = f"{effect.scope.host}, {kind}," if kind else effect.scope.host
                yield by_effect(RULE, subject, effect, severity, f"runs code from {whose} that nobody has read")


def _executes(subject: Subject, fetch: Effect) -> bool:
    return any(effect.capability in ("shell.execute", "source.execute") for effect in subject.by_line[fetch.where])


def _severity(subject: Subject, scope: HostScope, line: str) -> Severity | None:
    """By who publishes the code; None for a vendor's own installer."""
    path = next((found[2] or "" for found in URL.finditer(line) if found[1].lower() == scope.host), "")
    if kind_of(scope.host) == "local" or is_installer(scope.host, path):
        return None
    if is_anonymous(scope.host):
        return Severity.HIGH
    known = publisher_known(subject, scope.host, path)
    if known == "announced":
        return Severity.LOW
    return Severity.MEDIUM if known == "mentioned" else Severity.HIGH


RULE = Rule(
    "download-and-run",
    "remote code",
    "a command runs code that it has just downloaded",
    Severity.HIGH,
    "Whoever controls the address decides what runs on the machine, at every run anew, and no version of it"
    " can be reviewed.",
    "Vendors' own installers of tools that everybody knows, installers of the product that the skill is about,"
    " and hosts of this machine.",
    "Install a released version from a package registry, or download a file, compare its digest and run it.",
    find,
)
