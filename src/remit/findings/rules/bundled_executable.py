"""The skill brings a compiled program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.model import Basis, Confidence, Finding, Role, Rule, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.subject import Subject

_MAGIC = (
    (b"\x7fELF", "a Linux program"),
    (b"MZ", "a Windows program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"\xce\xfa\xed\xfe", "a macOS program"),
    (b"\xca\xfe\xba\xbe", "a compiled program"),
    (b"\x00asm", "a WebAssembly program"),
)
_COMPILED = (
    ".pyc",
    ".pyo",
    ".class",
    ".so",
    ".dll",
    ".dylib",
    ".exe",
    ".node",
    ".scr",
    ".msi",
    ".jar",
    ".dmg",
    ".pkg",
    ".deb",
    ".rpm",
    ".apk",
)
# Endings by which a file is taken for something that is not run.
_INERT = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".pdf",
    ".txt",
    ".md",
    ".json",
    ".csv",
    ".svg",
    ".ico",
    ".docx",
    ".xlsx",
    ".log",
    ".dat",
    ".yaml",
)


def find(subject: Subject) -> Iterator[Finding]:
    """Files that are compiled programs, by content and by name."""
    for file in subject.skill.files:
        data = (subject.skill.contents.get(file.path) or b"")[:8]
        name = file.path.lower()
        what = next(
            (words for magic, words in _MAGIC if data.startswith(magic) and (magic != b"MZ" or b"\0" in data)), ""
        )
        if not what and name.endswith(_COMPILED) and file.size:
            what = "a compiled program"
        if not what:
            continue
        disguised = name.endswith(_INERT)
        severity = Severity.HIGH if disguised else Severity.MEDIUM
        message = (
            f"brings {what} that is named as if it were none: {file.path}"
            if disguised
            else f"brings {what} that nobody can read: {file.path}"
        )
        witness = Witness(Role.TEXT, Location(file.path))
        yield Finding(RULE.ident, severity, message, (witness,), Basis.SCRIPT, Confidence.HIGH, RULE.fix)


RULE = Rule(
    "bundled-executable",
    "hidden code",
    "the skill brings a compiled program",
    Severity.HIGH,
    "A compiled program cannot be read. What it does is known only to its author.",
    "Pictures, fonts, documents and models.",
    "Ship the source, or install a released version of the program.",
    find,
)
