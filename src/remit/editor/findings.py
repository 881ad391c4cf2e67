"""What there is to say of a skill, place by place: plain values that cross from the worker to the server as JSON."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.counting import counted
from remit.core.scope import ANY_SCOPE
from remit.manifest.render import entry_value
from remit.proof import least

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.checker.report import Report
    from remit.core.effect import Effect

_PLACED = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*)", re.DOTALL)


class Kind(StrEnum):
    """What a finding is."""

    ESCAPE = "escape"  # an effect outside of the manifest
    OPAQUE = "opaque"  # a place that is not understood
    DENIED = "denied"  # an effect that the manifest denies
    EFFECT = "effect"  # an effect that is inside, or of a skill without a manifest
    UNUSED = "unused"  # an entry of the manifest that nothing needs
    WRONG = "wrong"  # the skill or its manifest cannot be read
    UNDECLARED = "undeclared"  # there is no manifest


class Finding(NamedTuple):
    """One thing at one place: a file of the skill, a line from 1, and a column from 1 where one is known."""

    kind: Kind
    file: str
    line: int
    message: str
    remedy: str = ""
    capability: str = ""
    scope: str = ""
    origin: str = ""
    calls: tuple[str, ...] = ()
    column: int = 0
    entry: dict[str, Any] | None = None  # the least that would allow it; None if that would be everything

    def encode(self) -> list[Any]:
        """As JSON values."""
        return list(self)

    @classmethod
    def decode(cls, value: list[Any]) -> Finding:
        """From JSON values."""
        found = cls(*value)
        return found._replace(kind=Kind(found.kind), calls=tuple(found.calls))


def findings(report: Report, main: str) -> Iterator[Finding]:
    """Everything that there is to say of a skill whose text is in the file `main`."""
    if report.failure:
        yield wrong(report.failure.message, report.failure.remedy, main)
        return
    outside = {item.effect: item for item in report.containment.escapes}
    denied = {item.effect: item.entry for item in report.containment.denied}
    for effect in report.found.effects:
        if effect in outside:
            item = outside[effect]
            (entry,) = least([item])
            allowed = None if ANY_SCOPE in entry.scopes else entry_value(entry)
            yield _effect(effect, Kind.ESCAPE, item.reason, item.remedy)._replace(entry=allowed)
        elif effect in denied:
            by = denied[effect]
            yield _effect(effect, Kind.DENIED, f"the manifest denies {by.capability} {by.place}")
        else:
            yield _effect(effect, Kind.EFFECT)
    for place in report.found.opaque:
        yield Finding(Kind.OPAQUE, *_at(place.where.file, place.where.line, main), place.reason, place.remedy)
    if report.manifest is None:
        names = len({effect.capability for effect in report.found.effects})
        if names:
            message = (
                f"there is no remit.json: {counted(names, 'capability', 'capabilities')} at "
                f"{counted(len(report.found.effects), 'place')} {'is' if names == 1 else 'are'} undeclared"
            )
            yield Finding(Kind.UNDECLARED, main, 1, message, "draft one with `remit init`")
        return
    for entry in report.containment.unused:
        message = f"{entry.capability} {entry.place} is declared, but nothing in the skill needs it"
        yield Finding(Kind.UNUSED, report.manifest.file, entry.line, message, "remove the entry", entry.capability)


def wrong(message: str, remedy: str, main: str) -> Finding:
    """What could not be read: at its place if the message begins with one, else at the skill's text."""
    placed = _PLACED.fullmatch(message)
    if placed is None:
        return Finding(Kind.WRONG, main, 1, message, remedy)
    column = int(placed["column"] or 0)
    return Finding(Kind.WRONG, placed["file"], int(placed["line"]), placed["message"], remedy, column=column)


def _effect(effect: Effect, kind: Kind, reason: str = "", remedy: str = "") -> Finding:
    message = f"{effect.capability} on {effect.scope.render()}: {effect.why}" + (f"; {reason}" if reason else "")
    calls = tuple(map(str, effect.path))
    return Finding(
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
