"""Notes about a skill, by location: plain values that the worker sends to the server as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.scope import ANY_SCOPE
from remit.manifest.render import entry_value
from remit.proof.least import least
from remit.report.first_screen import finding_row, why

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.findings.model import Finding

_PLACED = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*)", re.DOTALL)


_DRAFT = "`remit init` drafts a manifest that holds it to this"


class NoteKind(StrEnum):
    """What a note is about."""

    FINDING = "finding"  # a finding
    ANSWER = "answer"  # the level of the skill, and its guarantees
    ESCAPE = "escape"  # an effect outside of the manifest
    OPAQUE = "opaque"  # an opaque location
    DENIED = "denied"  # an effect that the manifest denies
    EFFECT = "effect"  # an effect that is allowed, or of a skill without a manifest
    UNUSED = "unused"  # an entry of the manifest that nothing needs
    WRONG = "wrong"  # the skill or its manifest cannot be read


class Note(NamedTuple):
    """One message at one location: a file of the skill, a line from 1, and a column from 1 if known."""

    kind: NoteKind
    file: str
    line: int
    message: str
    remedy: str = ""
    capability: str = ""
    scope: str = ""
    origin: str = ""
    calls: tuple[str, ...] = ()
    column: int = 0
    entry: dict[str, Any] | None = None  # the narrowest entry that would allow it; None if that would be everything
    rule: str = ""  # of a finding
    severity: str = (
        ""  # of a finding that is not accepted, and of what keeps the skill from being inside of its manifest
    )
    steps: tuple[tuple[str, int, str], ...] = ()  # of a finding: file, line and step, from source to sink

    @classmethod
    def decode(cls, value: list[Any]) -> Note:
        """Parse notes from JSON values."""
        found = cls(*value)
        steps = tuple((file, line, text) for file, line, text in found.steps)
        return found._replace(kind=NoteKind(found.kind), calls=tuple(found.calls), steps=steps)


def notes(report: Report, main: str) -> Iterator[Note]:
    """Return all notes about a skill whose text is in the file `main`."""
    accepted = {finding: entry.reason for finding, entry in report.acceptances.accepted}
    for finding in report.findings:
        yield _finding(finding, accepted.get(finding), main)
    if report.failure:
        yield wrong(report.failure.message, report.failure.remedy, main)
        return
    yield Note(NoteKind.ANSWER, main, 1, f"{report.headline}: {why(report)}", "" if report.manifest else _DRAFT)
    outside = {item.effect: item for item in report.containment.escapes}
    denied = {item.effect: item.entry for item in report.containment.denied}
    for effect in report.found.effects:
        if effect in outside:
            item = outside[effect]
            (entry,) = least([item])
            allowed = None if ANY_SCOPE in entry.scopes else entry_value(entry)
            yield _effect(effect, NoteKind.ESCAPE, item.reason, item.remedy)._replace(entry=allowed)
        elif effect in denied:
            by = denied[effect]
            yield _effect(effect, NoteKind.DENIED, f"the manifest denies {by.capability} {by.place}")
        else:
            yield _effect(effect, NoteKind.EFFECT)
    for place in report.found.opaque:
        at = _at(*place.where, main)
        yield Note(NoteKind.OPAQUE, *at, place.reason, place.remedy, severity="medium" if report.manifest else "")
    if report.manifest is None:
        return
    for entry in report.containment.unused:
        message = f"{entry.capability} {entry.place} is declared, but nothing in the skill needs it"
        yield Note(NoteKind.UNUSED, report.manifest.file, entry.line, message, "remove the entry", entry.capability)


def _finding(finding: Finding, reason: str | None, main: str) -> Note:
    """Return a finding at its deciding line; `reason` is why it is accepted."""
    file, line = _at(*finding.where, main)
    end = "" if reason is None else f"; accepted: {reason}"
    return Note(
        NoteKind.FINDING,
        file,
        line,
        f"{finding.message}{finding_row(finding).end}{end}",
        finding.fix,
        rule=finding.rule,
        severity=str(finding.severity) if reason is None else "",
        steps=tuple((*_at(*item.where, main), item.text or str(item.role)) for item in finding.witnesses),
    )


def wrong(message: str, remedy: str, main: str) -> Note:
    """Return a note about something unreadable: where the message says, else at the skill's text."""
    placed = _PLACED.fullmatch(message)
    if placed is None:
        return Note(NoteKind.WRONG, main, 1, message, remedy)
    column = int(placed["column"] or 0)
    return Note(NoteKind.WRONG, placed["file"], int(placed["line"]), placed["message"], remedy, column=column)


def _effect(effect: Effect, kind: NoteKind, reason: str = "", remedy: str = "") -> Note:
    message = f"{effect.capability} on {effect.scope.render()}: {effect.why}" + (f"; {reason}" if reason else "")
    calls = tuple(map(str, effect.path))
    return Note(
        kind,
        effect.where.file,
        max(effect.where.line, 1),
        message,
        remedy,
        effect.capability,
        effect.scope.render(),
        str(effect.origin),
        calls,
    )


def _at(file: str, line: int, main: str) -> tuple[str, int]:
    return (main if file == "." else file), max(line, 1)
