"""Certificates are not checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_effect
from remit.findings.hosts import kind_of, stands_for_other
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_UNCHECKED = lazy_pattern(
    r"verify\s*=\s*False|rejectUnauthorized['\"]?\s*:\s*false|_create_unverified_context|ssl\s*=\s*False"
)


def find(subject: Subject) -> Iterator[Finding]:
    """Commands and calls that reach a fixed host without checking who it is."""
    known = rows("unchecked")
    for command in subject.commands:
        if any(row.matches(command.words) for row in known.get(command.program, ())):
            here = subject.by_line.get(command.where, ())
            host = next((found for effect in here if (found := _host(effect))), "")
            if host:
                yield by_command(RULE, command, Severity.MEDIUM, f"talks to {host} without checking its certificate")
    for effect in subject.sending():
        if (host := _host(effect)) and _UNCHECKED.search(subject.line(effect.where)):
            yield by_effect(RULE, subject, effect, Severity.MEDIUM, f"talks to {host} without checking its certificate")


def _host(effect: Effect) -> str:
    """The fixed host of others that an effect reaches."""
    if not isinstance(effect.scope, HostScope) or effect.scope.host.startswith(("<", "*")):
        return ""
    host = effect.scope.host
    return "" if kind_of(host) == "local" or stands_for_other(host) else host


RULE = Rule(
    "tls-checks-off",
    "weakening",
    "certificates are not checked",
    Severity.MEDIUM,
    "Without certificate checks, any host on the path can read and change the traffic, including keys.",
    "Local hosts and private addresses, addresses that the user names, samples.",
    "Remove the option; for a private authority, pass its certificate file.",
    find,
)
