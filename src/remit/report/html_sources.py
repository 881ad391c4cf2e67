"""Sources on a page: the lines on which something stands, a few around them, and below each what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.report.html_words import mark, place_link, said
from remit.report.map_model import Stand
from remit.report.markup import Html, joined, tag, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.report.html_model import Anchors, Shown
    from remit.report.map_model import Stands

_AROUND = 2  # lines above and below
_LONG = 240  # characters of a line
_TAB = 4
_WHO = {Origin.INSTRUCTED: "the text asks for it", Origin.HOOK: "runs by itself"}


def sources(shown: Shown, anchors: Anchors, stands: Stands) -> Iterator[Html]:
    """Every file that the report speaks of."""
    notes: dict[Location, list[Html]] = {}
    for item in shown.report.found.opaque:
        notes.setdefault(item.where, []).append(_opaque(item))
    for effect in shown.report.found.effects:
        notes.setdefault(effect.where, []).append(_effect(effect, stands.of(effect), anchors))
        for place in effect.path:
            notes.setdefault(place, [])
    for file in anchors.files:
        here = {place.line: found for place, found in notes.items() if place.file == file}
        yield _file(file, here, shown.sources.get(file), anchors)


def _file(file: str, notes: dict[int, list[Html]], lines: Sequence[str] | None, anchors: Anchors) -> Html:
    whole = notes.get(0, [])
    told = [tag("div", *whole, class_="notes")] if whole else []
    wanted = sorted(line for line in notes if line)
    rows = (
        [_row(line, lines, notes, anchors.file(file)) for line in _around(wanted, len(lines))]
        if lines
        else [tag("div", tag("code", f"line {line}"), *notes[line], id=f"{anchors.file(file)}-{line}", class_="notes") for line in wanted]
    )  # fmt: skip
    return tag(
        "figure",
        tag("figcaption", tag("code", file)),
        *told,
        tag("div", *rows, class_="code", tabindex="0", role="group", aria_label=f"lines of {file}") if rows else Html(),
        class_="source",
        id=anchors.file(file),
    )


def _around(wanted: Sequence[int], count: int) -> list[int]:
    """The lines to show, in order; 0 is a gap. Lines that the file does not have stay: something was found there."""
    lines = sorted(
        {line + by for line in wanted for by in range(-_AROUND, _AROUND + 1) if by == 0 or 0 < line + by <= count}
    )
    out: list[int] = []
    for line in lines:
        out += [0] if out and line > out[-1] + 1 else []
        out.append(line)
    return out


def _row(line: int, lines: Sequence[str], notes: dict[int, list[Html]], base: str) -> Html:
    if not line:
        return tag("div", "⋯", class_="gap", aria_hidden="true")
    written = lines[line - 1].expandtabs(_TAB) if line <= len(lines) else ""
    written = written if len(written) <= _LONG else written[:_LONG] + "…"
    number = tag("span", str(line), class_="number")
    if line not in notes:
        return tag("div", number, tag("code", written), class_="line")
    below = [tag("div", *notes[line], class_="notes")] if notes[line] else []
    return tag(
        "div", tag("div", number, tag("code", written), class_="line meant"), *below, id=f"{base}-{line}", class_="at"
    )


def _effect(effect: Effect, stand: Stand, anchors: Anchors) -> Html:
    level = vocabulary()[effect.capability].level
    parts = [
        mark(stand, str(level)),
        tag("a", effect.capability, href=f"#{anchors.capability(effect.capability)}"),
        " ",
        tag("code", effect.scope.render()),
        " ",
        tag("span", said(effect.why), class_="why"),
    ]
    if effect.origin in _WHO:
        parts += [" · ", tag("span", _WHO[effect.origin], class_="who")]
    if effect.path:
        calls = joined([place_link(place, anchors) for place in effect.path], " → ")
        parts.append(tag("div", text("called from "), calls, class_="calls"))
    return tag("div", *parts, class_=f"note stands-{stand}")


def _opaque(item: Opaque) -> Html:
    todo = [tag("div", "→ ", said(item.remedy), class_="todo")] if item.remedy else []
    return tag("div", mark(Stand.UNKNOWN), tag("span", said(item.reason)), *todo, class_="note stands-opaque")
