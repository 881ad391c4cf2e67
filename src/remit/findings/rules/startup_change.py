"""A shell profile, a scheduled job or a service is changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.model import Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.effect import Effect
    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_HARMLESS = re.compile(
    r"\bPATH\b|shellenv|\binit\b|completion|\bhook\b|\balias\b|export \w+=|_HOME\b|source ", re.IGNORECASE
)
_FETCHES = re.compile(r"\b(?:curl|wget)\b[^\n]*\||base64|/tmp/\.|/dev/shm")
_BATCH = frozenset({"srun", "sbatch", "salloc", "qsub", "bsub"})  # they queue one run of a job
_WORDS = {"profile.write": "the start-up file of your shell", "schedule.create": "a job that runs by itself"}


def find(subject: Subject) -> Iterator[Finding]:
    """Start-up files and jobs that are changed."""
    for effect in subject.with_capability("profile.write", "schedule.create"):
        if effect.via.possible or effect.via.name.partition(" ")[0] in _BATCH:
            continue
        verb = "changes" if effect.capability == "profile.write" else "installs"
        yield by_effect(RULE, subject, effect, _severity(subject, effect), f"{verb} {_WORDS[effect.capability]}")


def _severity(subject: Subject, effect: Effect) -> Severity:
    line = subject.line(effect.where)
    if _FETCHES.search(line):
        return Severity.HIGH
    profile = effect.capability == "profile.write"
    if effect.via.cause is Cause.SENTENCE or is_about(subject, "profile" if profile else "schedule"):
        return Severity.LOW
    return Severity.LOW if profile and _HARMLESS.search(line) else Severity.MEDIUM


RULE = Rule(
    "startup-change",
    "persistence",
    "something is made to run again by itself",
    Severity.HIGH,
    "A line in a shell profile, a scheduled job or a service runs long after the skill was used, without being"
    " asked for again.",
    "Skills that say in their description that they schedule, monitor or set up something; lines that only"
    " extend the search path.",
    "Say in the description what is installed to run by itself, and let the user install it.",
    find,
)
