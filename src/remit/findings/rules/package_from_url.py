"""A package is installed from an address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import NameScope
from remit.findings.evidence import by_effect, by_text
from remit.findings.hosts import URL, kind_of
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import HostStanding, publisher_known, standing

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Packages whose name is an address."""
    yield from _listed(subject)
    for effect in subject.with_capability("package.install"):
        if not isinstance(effect.scope, NameScope) or "://" not in effect.scope.pattern:
            continue
        found = URL.search(effect.scope.pattern.removeprefix("git+"))
        if found is None or kind_of(found[1]) == "local":
            continue
        host = found[1].lower()
        severity = _severity(subject, effect, host)
        yield by_effect(RULE, subject, effect, severity, f"installs a package straight from {host}")


_INDEX = lazy_pattern(
    r"^\s*(?:--(?:extra-)?index-url|-i|--find-links|-f)[ =]+(https?://\S+)|@\s*(https?://\S+)|^\s*(?:-e\s+)?git\+(https?://\S+)"
)


def _listed(subject: Subject) -> Iterator[Finding]:
    """Indexes and addresses in lists of packages."""
    for file in subject.skill.files:
        if not _LIST.search(file.path):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            found = URL.search(line) if _INDEX.search(line) else None
            where = Location(file.path, number)
            if found is None or kind_of(found[1]) in ("local", "code", "mirror"):
                continue
            host = found[1].lower()
            who = standing(subject, host)
            if who.hidden or who is HostStanding.ECHOED:
                message = f"installs packages straight from {host}"
                yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                    basis=subject.basis(where)
                )


_LIST = lazy_pattern(r"(?:^|/)(?:requirements[\w.-]*\.txt|constraints[\w.-]*\.txt|pip\.conf|uv\.toml)$")


def _severity(subject: Subject, effect: Effect, host: str) -> Severity:
    if kind_of(host) in ("code", "mirror"):
        return Severity.LOW
    who = standing(subject, host, instructed=effect.where.file in subject.documents)
    if who in (HostStanding.VENDOR, HostStanding.STATED) and publisher_known(subject, host) == "announced":
        return Severity.LOW
    if host.endswith(".github.io") and host.removesuffix(".github.io") in subject.announced:
        return Severity.MEDIUM  # the name is that of the account, and the description speaks of its owner
    plain = isinstance(effect.scope, NameScope) and effect.scope.pattern.startswith("http://")
    if plain and who not in (HostStanding.VENDOR, HostStanding.STATED):
        return Severity.HIGH  # anyone on the way can change what is installed, and nobody knows who offers it
    grave = who in (HostStanding.ANONYMOUS, HostStanding.IMITATION) or kind_of(host) == "hosting"
    hidden = subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK) and host not in subject.written
    return Severity.HIGH if (grave and who is not HostStanding.STATED) or hidden else Severity.MEDIUM


RULE = Rule(
    "package-from-url",
    "remote code",
    "a package is installed from an address instead of a registry",
    Severity.HIGH,
    "The content of an address can change at any time, and install scripts run with the user's rights.",
    "Package registries. Repositories on known code hosts are reported as low.",
    "Install a released, pinned version from the package registry.",
    find,
)
