"""Files of the user are deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import DEEP, HOME, ROOT, WORKSPACE, PathScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

# A call that removes one file may meet any file of a folder, and never the folder.
_WHOLE = lazy_pattern(
    r"\brm\s+(?:-\w+\s+)*-\w*[rR]|--recursive|rmtree|rimraf|rmSync|removeSync|emptyDir|\bfind\b|shred|Remove-Item|\brd\s+/s|\*"
)
_FILTERED = lazy_pattern(r"\s-(?:i?name|mtime|size|empty|regex)\b|\*\.\w|\bglob\(|\.endswith\(")  # some files of a tree
_SYSTEM = frozenset({"etc", "usr", "bin", "lib", "home", "Users", "boot", "root", "opt", "System", "Library"})
_PERSONAL = frozenset(
    {"Documents", "Desktop", "Downloads", "Pictures", "Music", "Movies", "Videos", ".ssh", ".gnupg", ".config"}
)
_LOOSE = frozenset({"~/Downloads"})  # where most of what lies can be had again


def find(subject: Subject) -> Iterator[Finding]:
    """Trees that are deleted or emptied."""
    yield from _overwritten(subject)
    for effect in subject.with_capability("file.delete", "source.delete"):
        if effect.via.possible or effect.via.cause is Cause.SENTENCE or effect.via.name.startswith("git "):
            continue
        what = _tree(effect)
        if what and _WHOLE.search(subject.line(effect.where)):
            chosen = is_about(subject, "clean") and (
                _FILTERED.search(subject.line(effect.where)) or what.startswith("/")
            )
            mild = what == "the project" or chosen or (what in _LOOSE and _is_shown_script(subject, effect))
            severity = Severity.MEDIUM if mild else Severity.HIGH
            yield by_effect(RULE, subject, effect, severity, f"deletes {what}")


def _is_shown_script(subject: Subject, effect: Effect) -> bool:
    """Whether it stands in a script that a document shows: the user keeps it and runs it by its name."""
    document = subject.documents.get(effect.where.file)
    fences = document.fences if document is not None else ()
    return any(
        fence.text.startswith("#!") and 0 <= effect.where.line - fence.line < len(fence.text.split("\n"))
        for fence in fences
    )


def _tree(effect: Effect) -> str:
    """What a deleted tree is to the user; empty for files that may be the skill's own."""
    scope = effect.scope
    if not isinstance(scope, PathScope):
        return ""
    whole = scope.parts in ((DEEP,), ("*",), ("*", DEEP))
    if scope.anchor == ROOT:
        if whole or scope.parts[:1] == (DEEP,):
            return "everything on the machine"
        deep = len(scope.parts) > 1 and scope.parts[1] in (DEEP, "*")
        return f"/{scope.parts[0]}" if deep and scope.parts[0] in _SYSTEM else ""
    if scope.anchor == HOME:
        if whole or scope.parts[:1] == (DEEP,):
            return "your home folder"
        deep = len(scope.parts) > 1 and scope.parts[1] in (DEEP, "*")
        return f"~/{scope.parts[0]}" if deep and scope.parts[0] in _PERSONAL else ""
    return "the project" if scope.anchor == WORKSPACE and whole else ""


def _overwritten(subject: Subject) -> Iterator[Finding]:
    """Trees whose files are emptied or overwritten."""
    for effect in subject.with_capability("file.write"):
        if effect.via.possible or effect.via.cause is Cause.SENTENCE or effect.where.file in subject.documents:
            continue
        what = _tree(effect)
        if what and what != "the project" and _EMPTIES.search(subject.line(effect.where)):
            yield by_effect(RULE, subject, effect, Severity.HIGH, f"empties the files in {what}")


_EMPTIES = lazy_pattern(
    r":\s*>\s*[\"']?\$|\btruncate\b|\bcat /dev/null\s*>|\bshred\b|\bif=/dev/(?:zero|u?random)\b|truncateSync|\.truncate\("
)

RULE = Rule(
    "user-files-deleted",
    "destruction",
    "the skill deletes files of the user, not only its own",
    Severity.HIGH,
    "A deleted home folder, disk or project cannot be restored.",
    "Files that the skill creates, folders for temporary files, and build results. Skills about cleaning get a medium finding.",
    "Delete only the files that the skill created, by name.",
    find,
)
