"""Code that waits in a folder for temporary files is run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import ROOT, TEMP, PathScope, overlaps
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_WRITES = ("file.write", "source.write")
_OPEN_TO_ALL = frozenset({"tmp", "dev/shm", "var/tmp"})


def find(subject: Subject) -> Iterator[Finding]:
    """Files in shared folders that are run, or read where text is run as code."""
    for effect in subject.with_capability("source.execute", "file.read"):
        scope = effect.scope
        if not isinstance(scope, PathScope) or not _in_temp(scope) or not _is_run(subject, effect):
            continue
        if "/".join(scope.parts) not in subject.line(effect.where):
            continue  # a relative path in a folder that a line above has made or entered
        if any(overlaps(scope, write.scope) for write in subject.with_capability(*_WRITES)):
            continue
        message = f"runs code from {scope.render()}, a file that any program can write"
        yield by_effect(RULE, subject, effect, Severity.HIGH, message)


def _in_temp(scope: PathScope) -> bool:
    if "**" in scope.parts or not scope.parts:
        return False
    return scope.anchor == TEMP or (
        scope.anchor == ROOT and ("/".join(scope.parts[:2]) in _OPEN_TO_ALL or scope.parts[0] in _OPEN_TO_ALL)
    )


def _is_run(subject: Subject, effect: Effect) -> bool:
    if effect.capability == "source.execute":
        return True
    here = subject.by_line[effect.where]
    return any(other.capability == "source.execute" and other.via.cause is Cause.CODE for other in here)


RULE = Rule(
    "planted-file-run",
    "hidden code",
    "code runs from a location that any program can write to",
    Severity.HIGH,
    "Any program can write to a folder for temporary files. Code found there was not part of the reviewed skill.",
    "Temporary files that the skill writes before it runs them.",
    "Ship the code with the skill, or write the file in the same run.",
    find,
)
