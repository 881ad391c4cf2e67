"""A disk is formatted or overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import ROOT, PathScope
from remit.findings.commandtable import rows
from remit.findings.evidence import by_command, by_effect
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_DISK = lazy_pattern(r"(?:sd[a-z*]|hd[a-z]|nvme\d|disk\d|rdisk\d|mmcblk\d|vd[a-z])\w*")


def find(subject: Subject) -> Iterator[Finding]:
    """Disks that are written."""
    severity = Severity.MEDIUM if is_about(subject, "disk") else Severity.HIGH
    for effect in subject.with_capability("file.write"):
        scope = effect.scope
        if (
            (
                isinstance(scope, PathScope)
                and scope.anchor == ROOT
                and scope.parts[:1] == ("dev",)
                and len(scope.parts) > 1
            )
            and _DISK.fullmatch(scope.parts[1])
            and not effect.via.possible
        ):
            yield by_effect(RULE, subject, effect, severity, f"overwrites the disk {scope.render()}")
    known = rows("disks")
    for command in subject.commands:
        if any(row.matches(command.words) for row in known.get(command.program, ())):
            yield by_command(RULE, command, severity, "erases a disk")


RULE = Rule(
    "disk-overwritten",
    "destruction",
    "a disk is formatted or overwritten",
    Severity.HIGH,
    "Everything on the disk is lost.",
    "Nothing. Skills about disks and images get a medium finding.",
    "Leave disks to the user.",
    find,
)
