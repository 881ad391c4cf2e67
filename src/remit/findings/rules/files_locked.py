"""Files are encrypted and the originals deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import HOME, ROOT, WORKSPACE, PathScope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command
from remit.findings.model import Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_NEAR = 8  # lines in which encrypting and deleting belong together


def find(subject: Subject) -> Iterator[Finding]:
    """Encryption with a deletion of files of the user beside it."""
    known = rows("encrypts")
    for command in subject.commands:
        if not any(row.matches(command.words) for row in known.get(command.program, ())):
            continue
        for effect in subject.with_capability("file.delete", "source.delete"):
            near = effect.where.file == command.where.file and abs(effect.where.line - command.where.line) <= _NEAR
            scope = effect.scope
            personal = not isinstance(scope, PathScope) or scope.anchor in (HOME, WORKSPACE) or scope.anchor == ROOT
            if near and personal and not effect.via.possible:
                severity = Severity.MEDIUM if is_about(subject, "encrypt") else Severity.HIGH
                yield by_command(RULE, command, severity, "encrypts files and deletes the originals")
                break


RULE = Rule(
    "files-locked",
    "destruction",
    "files are encrypted and the originals deleted",
    Severity.HIGH,
    "Only the owner of the password can give the files back.",
    "Skills about encryption and backups whose originals stay.",
    "Keep the originals, and let the user choose the password.",
    find,
)
