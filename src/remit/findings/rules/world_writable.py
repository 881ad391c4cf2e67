"""Files are opened to every user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_command
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_MODE = lazy_pattern(r"0?(?:777|666)|(?:a|ugo|o)\+[rx]*w[rx]*")


_AS_ROOT = lazy_pattern(r"(?:u|ug|g)?\+s|0?[4-7]7[0-7]{2}")


def find(subject: Subject) -> Iterator[Finding]:
    """Modes that let every user write."""
    for command in subject.commands:
        if command.program == "chmod" and any(map(_AS_ROOT.fullmatch, command.words)):
            yield by_command(
                RULE, command, Severity.HIGH, "lets a program run with the rights of its owner for everybody"
            )
        if command.program == "chmod" and (mode := next(filter(_MODE.fullmatch, command.words), "")):
            target = " ".join(word for word in command.words if word != mode and not word.startswith("-"))[:60]
            severity = Severity.LOW if target.startswith(("/tmp/", "$TMP")) else Severity.MEDIUM  # noqa: S108
            yield by_command(RULE, command, severity, f"lets every user of the machine write to {target or 'files'}")


RULE = Rule(
    "world-writable",
    "weakening",
    "files become writable for every user of the machine",
    Severity.HIGH,
    "Every user can then replace the files: programs, keys, data.",
    "Folders for temporary files.",
    "Give access to the one user or group that needs it.",
    find,
)
