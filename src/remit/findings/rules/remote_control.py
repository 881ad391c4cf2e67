"""Others can reach or steer the machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import AnyScope, HostScope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_effect
from remit.findings.hosts import kind_of
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that open the machine to others, and servers that run what they are sent."""
    known = rows("opens")
    about = is_about(subject, "tunnel")
    for command in subject.commands:
        for row in known.get(command.program, ()):
            if row.matches(command.words) and command.basis is not Basis.SAMPLE:
                script = command.basis in (Basis.SCRIPT, Basis.HOOK)
                severity = Severity.LOW if about else Severity.HIGH if script else Severity.MEDIUM
                yield by_command(RULE, command, severity, f"opens this machine to others: {row.meaning}")
    for effect in subject.with_capability("net.listen"):
        if not effect.via.possible and _is_open(effect) and (line := _runs_requests(subject, effect)):
            message = f"runs what others send to it as a command, in line {line}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


def _is_open(effect: Effect) -> bool:
    """Whether other machines can connect."""
    if isinstance(effect.scope, HostScope):
        return effect.scope.host == "0.0.0.0" or kind_of(effect.scope.host) != "local"  # noqa: S104
    return isinstance(effect.scope, AnyScope)


def _runs_requests(subject: Subject, effect: Effect) -> int:
    """The line of a server that runs text of a request; 0 if there is none."""
    lines = subject.lines(effect.where.file)
    places = {item.where.line for item in subject.found.opaque if item.where.file == effect.where.file}
    for at in sorted(places):
        near = "\n".join(lines[max(0, at - _NEAR) : at])
        if at <= len(lines) and _RUNS.search(lines[at - 1]) and _REQUEST.search(near):
            return at
    return 0


_NEAR = 12  # lines from a request to what is made of it
_RUNS = lazy_pattern(r"shell\s*=\s*True|os\.(?:system|popen)\(|\b(?:exec|execSync|eval|spawn|check_output|run|Popen)\(")
_REQUEST = lazy_pattern(
    r"self\.path|\brfile\b|parse_qs|\brequest\.(?:args|json|form|data|get_json|query|body|values)|\breq\.(?:query|body|params|url)|\.recv\(|\.on\([\"'](?:data|message)"
)


RULE = Rule(
    "remote-control",
    "hidden code",
    "others can reach or control the machine",
    Severity.HIGH,
    "A tunnel, or a server that runs what it receives, lets others act with the user's rights, past every firewall.",
    "Skills whose description mentions tunnels, sharing or remote access; servers that only this machine can reach.",
    "Listen on 127.0.0.1, never run text from a request, and let the user open tunnels.",
    find,
)
