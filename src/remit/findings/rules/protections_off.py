"""A protection of the machine is switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import HOME, ROOT, PathScope, Scope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_effect
from remit.findings.model import Basis, Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Commands that switch protections off."""
    known = rows("protections")
    for command in subject.commands:
        for row in known.get(command.program, ()):
            if row.matches(command.words):
                hidden = command.basis in (Basis.SCRIPT, Basis.HOOK) and not row.is_spoken_of(subject.text)
                severity = Severity.HIGH if hidden else Severity.MEDIUM
                yield by_command(RULE, command, severity, f"switches off {row.meaning}")
    for effect in subject.with_capability("file.write", "file.delete", "secret.write"):
        if not effect.via.possible and _is_record(effect.scope) and subject.basis_of(effect) is Basis.SCRIPT:
            message = f"destroys the record of what happened on the machine: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


def _is_record(scope: Scope) -> bool:
    """Whether it is a log by which an intruder would be found."""
    if not isinstance(scope, PathScope) or not scope.parts:
        return False
    if scope.anchor == ROOT and scope.parts[:2] == ("var", "log"):
        return len(scope.parts) > 2 and scope.parts[2] in _LOGS
    return scope.anchor == HOME and scope.parts[-1].endswith("_history")


_LOGS = frozenset({"auth.log", "wtmp", "btmp", "utmp", "lastlog", "secure", "syslog", "audit", "messages", "**", "*"})


RULE = Rule(
    "protections-off",
    "weakening",
    "a protection of the machine is switched off",
    Severity.HIGH,
    "Firewall, malware scanner, code signing and sandbox protect everything on the machine, not only what the"
    " skill works on.",
    "Samples, and sections that warn of it. If the text of the skill mentions it, the finding is medium.",
    "Leave the protections on; ask for the one exception that is needed.",
    find,
)
