"""A package is installed from an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import NameScope
from remit.findings.evidence import by_effect
from remit.findings.hosts import URL, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Packages whose name is an address."""
    for effect in subject.with_capability("package.install"):
        if not isinstance(effect.scope, NameScope) or "://" not in effect.scope.pattern:
            continue
        found = URL.search(effect.scope.pattern.removeprefix("git+"))
        if found is None or kind_of(found[1]) == "local":
            continue
        host = found[1].lower()
        known = kind_of(host) == "code" or publisher_known(subject, host, found[2] or "") == "announced"
        severity = Severity.HIGH if is_anonymous(host) else Severity.LOW if known else Severity.MEDIUM
        yield by_effect(RULE, subject, effect, severity, f"installs a package straight from {host}")


RULE = Rule(
    "package-from-url",
    "remote code",
    "a package is installed from an address instead of a registry",
    Severity.HIGH,
    "What an address serves can change at any time, and its install scripts run with the rights of the user.",
    "Repositories on known code hosts are only noted; registries are not reported.",
    "Install a released version from the package registry, with its version.",
    find,
)
