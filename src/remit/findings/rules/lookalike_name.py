"""A name looks like a well-known one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope, NameScope
from remit.findings.evidence import by_effect, by_text
from remit.findings.hosts import URL
from remit.findings.lookalikes import extends, is_one_off, lookalike_of, same_look
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_REPLACES = lazy_pattern(
    r"\b(?:deprecated|replace[sd]?|redirects?|superseded|obsolete|instead|retired|legacy)\b", re.IGNORECASE
)
# A package that is fetched to be looked at.
_ONLY_KEPT = lazy_pattern(r"\b(?:pip3? download|npm (?:pack|view|info))\b")


def find(subject: Subject) -> Iterator[Finding]:
    """Packages, hosts and the skill's own name."""
    name = subject.skill.front_matter.text("name")
    if found := lookalike_of(name, "packages"):
        where = Location(subject.skill.main, subject.skill.front_matter.line("name"))
        known, exact = found
        severity = Severity.HIGH if exact else Severity.MEDIUM
        yield by_text(RULE, subject, where, name, severity, f"is named {name}, which looks like {known}")
    for effect in subject.with_capability("package.install"):
        if isinstance(effect.scope, NameScope) and (found := lookalike_of(_bare(effect.scope.pattern), "packages")):
            message = f"installs {_bare(effect.scope.pattern)}, which looks like {found[0]}"
            kept = _ONLY_KEPT.search(subject.line(effect.where))
            yield by_effect(RULE, subject, effect, Severity.HIGH if found[1] and not kept else Severity.MEDIUM, message)
    for effect in subject.sending():
        if isinstance(effect.scope, HostScope) and (found := lookalike_of(effect.scope.host, "hosts")):
            message = f"talks to {effect.scope.host}, which looks like {found[0]}"
            yield by_effect(RULE, subject, effect, Severity.HIGH if found[1] else Severity.MEDIUM, message)
    yield from _beside(subject)
    yield from _namesake(subject, name)


def _beside(subject: Subject) -> Iterator[Finding]:
    """Two hosts in one skill of which one looks like the other."""
    seen: dict[str, str] = {}
    reached = {effect.scope.host for effect in subject.sending() if isinstance(effect.scope, HostScope)}
    shown = is_about(subject, "teaches attacks")
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or b"://" not in data or not (file.languages or file.kind in ("json", "yaml", "toml")):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            for found in URL.finditer(line) if "://" in line else ():
                host, where = found[1].lower(), Location(file.path, number)
                look = same_look(host)
                other = seen.setdefault(look, host)
                if other == host:
                    other = next(
                        (known for known in seen.values() if extends(host, known) or extends(known, host)), host
                    )
                if other != host:
                    message = f"uses {host} beside {other}, which looks much the same"
                    severity = Severity.MEDIUM if shown and reached.isdisjoint((host, other)) else Severity.HIGH
                    yield by_text(RULE, subject, where, line.strip(), severity, message)


def _namesake(subject: Subject, name: str) -> Iterator[Finding]:
    """Another skill with nearly the same name that this one claims to replace."""
    for document in subject.skill.documents:
        for span in document.spans:
            if is_one_off(span.text.strip(), name) and _REPLACES.search(span.sentence):
                where = Location(document.path, span.line)
                message = f"claims to replace {span.text.strip()}, of which it has nearly the name"
                yield by_text(RULE, subject, where, span.sentence.replace("\0", span.text), Severity.HIGH, message)


def _bare(package: str) -> str:
    """The name of a package without its version."""
    name = package.partition("==")[0].partition(">")[0].partition("<")[0].partition("[")[0].partition("~")[0]
    return name[:1] + name[1:].partition("@")[0]


RULE = Rule(
    "lookalike-name",
    "look-alikes",
    "a name imitates a well-known one",
    Severity.HIGH,
    "A name that differs by one letter is mistaken for the well-known one.",
    "Well-known names that are themselves alike.",
    "Use the well-known name, or a clearly different one.",
    find,
)
