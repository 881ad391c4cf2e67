"""The skill brings a compiled program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.model import Basis, Confidence, Finding, Role, Rule, Severity, Witness

if TYPE_CHECKING:
    from remit.findings.subject import Subject
    from remit.skill.model import SkillFile

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
    """Files that are compiled programs, by content and by name; those of a kind together."""
    groups: dict[tuple[str, Severity], list[str]] = {}
    for file in subject.skill.files:
        if what := _compiled(file, (subject.skill.contents.get(file.path) or b"")[:8]):
            groups.setdefault((what, _severity(subject, file.path)), []).append(file.path)
    for (what, severity), paths in groups.items():
        named = "that is named as if it were none" if severity is Severity.HIGH else "that cannot be reviewed"
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        witnesses = tuple(Witness(Role.TEXT, Location(path)) for path in paths)
        message = f"brings {what} {named}: {paths[0]}{more}"
        yield Finding(RULE.ident, severity, message, witnesses, Basis.SCRIPT, Confidence.HIGH, RULE.fix)


def _compiled(file: SkillFile, start: bytes) -> str:
    """What sort of program a file is; empty if it is none."""
    for magic, words in _MAGIC:
        if start.startswith(magic) and (magic != b"MZ" or b"\0" in start):
            return words
    return "a compiled program" if file.size and file.path.lower().endswith(_COMPILED) else ""


def _severity(subject: Subject, path: str) -> Severity:
    if path.lower().endswith(_INERT):
        return Severity.HIGH
    folder, _, name = path.rpartition("/")
    source = f"{folder.removesuffix('__pycache__')}{name.partition('.')[0]}.py"
    cached = folder.endswith("__pycache__") and subject.skill.file(source) is not None
    return Severity.LOW if cached else Severity.MEDIUM


RULE = Rule(
    "bundled-executable",
    "hidden code",
    "the skill contains a compiled program",
    Severity.HIGH,
    "A compiled program cannot be reviewed.",
    "Pictures, fonts, documents and models.",
    "Ship the source, or install a released version of the program.",
    find,
)
