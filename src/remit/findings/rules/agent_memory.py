"""The agent's memory or instruction files are changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_effect
from remit.findings.later import harm_later
from remit.findings.model import Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.effect import Effect
    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_STEERS = lazy_pattern(
    r"auto-?approve|override|without (?:asking|approval|confirmation)|ignore (?:all|any|previous)|always (?:run|execute|trust|allow)|do not (?:ask|mention|tell)",
    re.IGNORECASE,
)
_NEAR = 5  # lines around a write that show what is written


def find(subject: Subject) -> Iterator[Finding]:
    """Instruction and memory files that are written."""
    for effect in subject.with_capability("memory.write"):
        if not effect.via.possible:
            message = f"changes what your agent is told in every session: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, _severity(subject, effect), message)


def _severity(subject: Subject, effect: Effect) -> Severity:
    if effect.where.file not in subject.documents and harm_later(subject, effect.where):
        return Severity.HIGH
    about = is_about(subject, "memory")
    if effect.where.file not in subject.documents:
        at = effect.where.line
        written = subject.lines(effect.where.file)[max(0, at - 1 - _NEAR) : at + _NEAR]
        if any(_STEERS.search(line) for line in written):
            return Severity.MEDIUM if about else Severity.HIGH
    return Severity.LOW if about else Severity.MEDIUM


RULE = Rule(
    "agent-memory",
    "persistence",
    "what the agent is told in every session is changed",
    Severity.HIGH,
    "Text in the agent's memory or instruction files steers every later session, in every project that loads it.",
    "Skills whose description speaks of memory, rules, instructions or the setup of a project.",
    "Say in the description which file is written and what for, or leave it to the user.",
    find,
)
