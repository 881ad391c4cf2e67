"""The agent's memory or instruction files are changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HOME, PathScope, Scope
from remit.core.scope.component import literal
from remit.findings.evidence import by_effect, by_text
from remit.findings.later import harm_later
from remit.findings.model import Finding, Rule, Severity
from remit.findings.order_score import LEAST, score
from remit.findings.pieces import Code, scripts
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_STEERS = lazy_pattern(
    r"auto-?approve|override|without (?:asking|approval|confirmation)|ignore (?:all|any|previous)|always (?:run|execute|trust|allow)|do not (?:ask|mention|tell)",
    re.IGNORECASE,
)
_FILES = (
    "claude.md",
    "agents.md",
    "gemini.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "copilot-instructions",
    "soul.md",
)
_SENTENCE = lazy_pattern(r"(?:[A-Za-z',;:-]+ ){4}")
_SIGNS = lazy_pattern(r"\\[nt]|[\"'`#<>]|--+")
_NEAR = 5  # lines around a write that show what is written


def find(subject: Subject) -> Iterator[Finding]:
    """Instruction and memory files that are written."""
    for effect in subject.with_capability("memory.write"):
        if not effect.via.possible:
            message = f"changes the instructions of every session: {effect.scope.render()}"
            yield by_effect(RULE, subject, effect, _severity(subject, effect), message)

    yield from _unnamed_files(subject)


def _unnamed_files(subject: Subject) -> Iterator[Finding]:
    """Orders against the user in a script that looks for instruction files and writes files."""
    writing = {effect.where.file for effect in subject.with_capability("file.write") if not effect.via.possible}
    for file, code in scripts(subject):
        if file not in writing or not code.has(*_FILES):
            continue
        for at, text in _texts(code):
            if score(text) >= LEAST:
                where = Location(file, at)
                message = "adds orders to the instructions of every session"
                found = by_text(RULE, subject, where, subject.line(where), Severity.HIGH, message)
                yield found._replace(basis=subject.basis(where))
                break


def _texts(code: Code) -> Iterator[tuple[int, str]]:
    """Neighbouring lines that hold sentences, without the signs of their texts."""
    begin, last, found = 0, 0, ""
    for at, line in code.lines.items():
        if not _SENTENCE.search(line):
            continue
        if found and at > last + 1:
            yield begin, found
            found = ""
        begin, last = (begin if found else at), at
        found = f"{found} {_SIGNS.sub(' ', line)}"
    if found:
        yield begin, found


def _severity(subject: Subject, effect: Effect) -> Severity:
    if effect.where.file not in subject.documents and harm_later(subject, effect.where):
        return Severity.HIGH
    about = is_about(subject, "memory")
    if effect.where.file not in subject.documents:
        if not about and _is_unsaid(subject, effect.scope):
            return Severity.HIGH
        at = effect.where.line
        written = subject.lines(effect.where.file)[max(0, at - 1 - _NEAR) : at + _NEAR]
        if any(_STEERS.search(line) for line in written):
            return Severity.MEDIUM if about else Severity.HIGH
    return Severity.LOW if about else Severity.MEDIUM


def _is_unsaid(subject: Subject, scope: Scope) -> bool:
    """Whether it is a file of all projects, and no text of the skill names it."""
    if not isinstance(scope, PathScope) or scope.anchor != HOME or not scope.parts or not literal(scope.parts[-1]):
        return False
    return scope.parts[-1].lower() not in subject.written


RULE = Rule(
    "agent-memory",
    "persistence",
    "the skill changes instructions that the agent reads in every session",
    Severity.HIGH,
    "Text in the agent's memory or instruction files steers every later session, in every project that loads it.",
    "Skills whose description mentions memory, rules, instructions or project setup.",
    "Say in the description which file is written and why, or leave it to the user.",
    find,
)
