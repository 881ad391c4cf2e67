"""Source code on a page: the lines with findings or effects, a few around them, and notes below each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.report.html_notes import Notes
from remit.report.html_words import severity
from remit.report.markup import Html, tag

if TYPE_CHECKING:
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.report.html_model import Anchors, SkillPage
    from remit.report.map_model import Stands

_AROUND = 2  # lines above and below
_LONG = 240  # characters of a line
_TAB = 4


def sources(shown: SkillPage, anchors: Anchors, stands: Stands) -> Iterator[Html]:
    """Return every file in the report."""
    found: dict[Location, tuple[list[Opaque], list[Effect]]] = {place: ([], []) for place in shown.report.places()}
    for item in shown.report.found.opaque:
        found[item.where][0].append(item)
    for effect in shown.report.found.effects:
        found[effect.where][1].append(effect)
    told: dict[Location, list[Html]] = {}
    for finding in shown.report.findings:
        for witness in finding.witnesses[:-1]:
            told.setdefault(witness.where, []).append(tag("div", witness.text or "on the way", " → ", finding.message))
        told.setdefault(finding.where, []).append(
            tag("div", severity(finding.severity), " ", tag("strong", finding.message))
        )
    for file in anchors.files:
        notes = Notes(stands, anchors)
        here = {
            place.line: [*told.get(place, ()), *notes.at(place, *of)]
            for place, of in sorted(found.items())
            if place.file == file
        }
        yield _file(file, here, shown.sources.get(file), anchors)


def _file(file: str, notes: dict[int, list[Html]], lines: Sequence[str] | None, anchors: Anchors) -> Html:
    whole = notes.get(0, [])
    told = [tag("div", *whole, class_="notes")] if whole else []
    wanted = sorted(line for line in notes if line)
    base = anchors.file(file)
    rows = (
        [tag("ol", *_rows(lines, notes, base))]
        if lines
        else [tag("div", tag("code", f"line {line}"), *notes[line], id=f"{base}-{line}", class_="notes") for line in wanted]
    )  # fmt: skip
    return tag(
        "figure",
        tag("figcaption", tag("code", file)),
        *told,
        tag("div", *rows, class_="code", tabindex="0", role="group", aria_label=f"lines of {file}")
        if wanted
        else Html(),
        class_="source",
        id=base,
    )


def _rows(lines: Sequence[str], notes: dict[int, list[Html]], base: str) -> Iterator[Html]:
    """Return lines with their numbers: an HTML list counts by itself, and is told where lines are left out."""
    last = 0
    for line in _around([line for line in notes if line], len(lines)):
        begins = str(line) if line != last + 1 else None
        if begins and last:
            yield tag("li", "⋯", class_="gap", aria_hidden="true")
        last = line
        written = tag("code", _written(lines, line))
        below = [tag("div", *notes[line], class_="notes")] if notes.get(line) else []
        there = {"id": f"{base}-{line}", "class_": "at"} if line in notes else {}
        yield tag("li", written, *below, value=begins, **there)


def _around(wanted: Sequence[int], count: int) -> list[int]:
    """Return the lines to show, in order. Lines that the file does not have stay: something was found there."""
    return sorted(
        {line + by for line in wanted for by in range(-_AROUND, _AROUND + 1) if by == 0 or 0 < line + by <= count}
    )


def _written(lines: Sequence[str], line: int) -> str:
    written = lines[line - 1].expandtabs(_TAB) if line <= len(lines) else ""
    return written if len(written) <= _LONG else written[:_LONG] + "…"
