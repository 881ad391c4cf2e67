"""Files are encrypted and the originals deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import DEEP, HOME, ROOT, WORKSPACE, HostScope, PathScope, Scope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_effect
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about
from remit.findings.trust import standing

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.subject import Subject

_NEAR = 8  # lines in which encrypting and deleting belong together


def find(subject: Subject) -> Iterator[Finding]:
    """Encryption with a deletion of files of the user beside it, and encryption in place of whole folders."""
    known = rows("encrypts")
    for command in subject.commands:
        if not any(row.matches(command.words) for row in known.get(command.program, ())):
            continue
        for effect in subject.with_capability("file.delete", "source.delete"):
            near = effect.where.file == command.where.file and abs(effect.where.line - command.where.line) <= _NEAR
            scope = effect.scope
            personal = not isinstance(scope, PathScope) or scope.anchor in (HOME, WORKSPACE) or scope.anchor == ROOT
            if near and personal and not effect.via.possible:
                severity = _severity(subject, command.where)
                yield by_command(RULE, command, severity, "encrypts files and deletes the originals")
                break
    for effect in subject.with_capability("file.write", "source.write"):
        lines = subject.lines(effect.where.file)[max(0, effect.where.line - _NEAR) : effect.where.line + 1]
        if _is_many(effect.scope) and not effect.via.possible and any(map(_ENCRYPTS.search, lines)):
            yield by_effect(RULE, subject, effect, _severity(subject, effect.where), "encrypts your files in place")


def _severity(subject: Subject, where: Location) -> Severity:
    """Encryption may be what the skill is for; a hidden receiver beside it gets the key."""
    if not is_about(subject, "encrypt"):
        return Severity.HIGH
    for effect in subject.sending():
        near = effect.where.file == where.file and abs(effect.where.line - where.line) <= _NEAR
        if near and isinstance(effect.scope, HostScope) and standing(subject, effect.scope.host).hidden:
            return Severity.HIGH
    return Severity.MEDIUM


def _is_many(scope: Scope) -> bool:
    """Whether it is every file of a folder of the user's, or of one that the user names."""
    many = isinstance(scope, PathScope) and not {DEEP, "*"}.isdisjoint(scope.parts)
    return (
        many and isinstance(scope, PathScope) and (scope.anchor in (HOME, WORKSPACE, ROOT) or scope.symbol == "<arg>")
    )


_ENCRYPTS = lazy_pattern(
    r"\.encrypt(?:_and_digest|or)?\(|createCipheriv\(|\bxor\w*\(|AES\.new\(|\bopenssl enc\b", re.IGNORECASE
)


RULE = Rule(
    "files-locked",
    "destruction",
    "files are encrypted and the originals deleted",
    Severity.HIGH,
    "Only the person who knows the password can restore the files.",
    "Skills about encryption and backups that keep the originals.",
    "Keep the originals, and let the user choose the password.",
    find,
)
