"""Reports for people: the first screen, one or two lines per skill for many, and everything known with -v."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.findings.model import Level
from remit.report.first_screen import ANSWERS, LINES, RowKind, ScreenRow, answer_of, deciding_row, first_screen
from remit.report.full_text import FullText
from remit.report.screen import Screen, visible, width_of
from remit.report.wording import LEVEL_STYLE, SEVERITY_STYLE, SEVERITY_WIDTH, cut, pad, remedy_lines

if TYPE_CHECKING:
    from remit.checker.report import Report

_STYLES = {
    RowKind.MANIFEST: "bold",
    RowKind.OPAQUE: "yellow",
    RowKind.GUARANTEES: "green",
    RowKind.CONDITIONAL: "yellow",
    RowKind.MORE: "dim",
    RowKind.UNREAD: "dim",
    RowKind.HINT: "dim",
}
# What is dropped first when a screen is too small; a number is how many findings remain.
_DROPPED: tuple[RowKind | int, ...] = (
    RowKind.UNREAD, RowKind.WORK, RowKind.APPROVED, 2, RowKind.CONDITIONAL, RowKind.LASTING, RowKind.GUARANTEES, RowKind.UNATTENDED, 1,
    RowKind.OPAQUE, RowKind.ACCEPTED,
)  # fmt: skip
_COUNTED = {"failed": "not read to the end", "outside": "not inside their manifests"}
_NAME = 25  # columns of a name, if there are many
_RANKED = 5  # skills that a summary names


class TextReport:
    """Renders reports for one screen."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False, many: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet
        self.many = many
        self.counts = dict.fromkeys(ANSWERS, 0)
        self.worst: list[tuple[int, int, Report, str]] = []  # rank and number of each skill to review, and why

    # ── one skill ──

    def skill(self, report: Report) -> Iterator[str]:
        """Return the lines for one skill."""
        self._count(report)
        if self.quiet:
            yield self._header(report, 1)[0]
        elif self.many and not self.verbose:
            yield from self._brief(report)
        elif not self.verbose or (report.failure and not report.found.effects):
            yield from self._first_screen(report)
        else:
            yield from self._header(report)
            yield from FullText(self.screen).lines(report)

    def _count(self, report: Report) -> None:
        answer = answer_of(report)
        self.counts[answer.name] += 1
        if answer.name != Level.CLEAR:
            row = deciding_row(report)
            why = row.whole if row else report.headline
            self.worst.append((ANSWERS.index(answer.name), len(self.worst), report, why))

    def _header(self, report: Report, most: int = 2) -> list[str]:
        """Return the name and the level in words, on a limited number of lines."""
        name = answer_of(report).name
        style = "bad" if name in ("failed", "outside") else LEVEL_STYLE[report.level]
        name, words = visible(report.found.skill), visible(report.headline)
        if self.many:
            name = pad(name, _NAME)
        room = self.screen.width - width_of(name) - 3
        lines = _few_lines(words, max(room, 20), most)
        first = f"{self.screen.style(name, 'bold')}   {self.screen.style(lines[0], style)}"
        return [first, *(f"  {self.screen.style(line, style)}" for line in lines[1:])]

    # ── the first screen ──

    def _first_screen(self, report: Report) -> Iterator[str]:
        """Return as many rows as fit; then as much of each, in order, as fits."""
        head = self._header(report)
        rows = first_screen(report)
        for drop in (None, *_DROPPED):
            if isinstance(drop, int):
                left = {row.kind for row in rows} | {RowKind.MORE}
                rows = [row for row in first_screen(report, drop) if row.kind in left]
            else:
                rows = [row for row in rows if row.kind is not drop]
            # what decides is never cut
            shown = [list(self._row(row, 2 if row is rows[0] else 1)) for row in rows]
            room = LINES - len(head) - sum(map(len, shown))
            if room >= 0:
                break
        for number, row in enumerate(rows):
            for most in (2, 3) if row.kind is RowKind.GUARANTEES else (2,):
                longer = list(self._row(row, most))
                if 0 < len(longer) - len(shown[number]) <= room:
                    room -= len(longer) - len(shown[number])
                    shown[number] = longer
        yield from [*head, *(line for lines in shown for line in lines)]

    def _brief(self, report: Report) -> Iterator[str]:
        """Return one skill of many: the headline, and below it what decides."""
        yield self._header(report, 1)[0]
        if report.failure:
            yield from remedy_lines(self.screen, report.failure.remedy, 2)
        elif row := deciding_row(report):
            yield from self._row(row, 1, joined=True)

    def _row(self, row: ScreenRow, most: int, *, joined: bool = False) -> Iterator[str]:
        """Return the lines of a row, a limited number for each part; `joined` puts a finding on one line."""
        if row.kind is RowKind.FINDING:
            yield from self._finding(row, most, joined=joined)
            return
        room = self.screen.width - 4
        command = row.kind is RowKind.HINT and row.text.startswith("more:")
        lines = [_hint(row.text, room + 2)] if command else _fitted(row, room, most)
        style = _STYLES.get(row.kind, "")
        for number, line in enumerate(lines):
            yield f"{'    ' if number else '  '}{self.screen.style(line, style) if style else line}"

    def _finding(self, row: ScreenRow, most: int, *, joined: bool) -> Iterator[str]:
        assert row.severity is not None
        head = self.screen.style(pad(row.severity, SEVERITY_WIDTH), SEVERITY_STYLE[row.severity])
        room = self.screen.width - 2 - SEVERITY_WIDTH
        message, end = visible(row.text), visible(row.end)
        steps = [visible(step) for step in row.detail]
        way = "  →  ".join(steps) + end
        if width_of(message) + width_of(way) + 3 <= room:
            yield f"  {head}{message}   {self.screen.style(way, 'dim')}"
            return
        if joined:
            where = steps[-1].split(" ", 1)[0] if steps else ""
            message = cut(message, max(room - width_of(where) - 3, 20))
            yield f"  {head}{message}   {self.screen.style(where, 'dim')}"
            return
        lines = _few_lines(message, room, most)
        yield f"  {head}{lines[0]}"
        below = " " * (2 + SEVERITY_WIDTH)
        yield from (f"{below}{line}" for line in lines[1:])
        for shorter in ([*steps[:1], "…", *steps[-1:]], [*steps[:1], *steps[-1:]]) if len(steps) > 2 else ():
            way = "  →  ".join(shorter) + end if width_of(way) > room else way
        if steps:
            yield self.screen.style(f"{below}{cut(way, room)}", "dim")

    # ── all skills ──

    def summary(self) -> Iterator[str]:
        """Return the last lines of a run over several skills: the number of each level, and the worst first."""
        words = [f"{count} {_COUNTED.get(name) or Level(name).words}" for name, count in self.counts.items() if count]
        total = sum(self.counts.values())
        yield ""
        yield self.screen.style(f"{counted(total, 'skill')}: {', '.join(words)}", "bold")
        if self.quiet or not self.worst:
            return
        ranked = sorted(self.worst)[:_RANKED]
        if len(self.worst) > 1:
            width = min(max(width_of(visible(report.found.skill)) for _, _, report, _ in ranked), 30)
            for _, _, report, why in ranked:
                head = pad(visible(report.found.skill), width)
                yield f"  {head}  {cut(visible(why), self.screen.width - 4 - width_of(head))}"
            if len(self.worst) > _RANKED:
                yield self.screen.style(f"  … and {len(self.worst) - _RANKED} more", "dim")
        path = visible(shlex.quote(ranked[0][2].found.path))
        yield self.screen.style(f"  more: remit check {path} -v", "dim")


def _few_lines(text: str, room: int, most: int) -> list[str]:
    """Return a text in a limited number of lines, with an ellipsis if it is too long."""
    lines: list[str] = [""]
    for word in text.split(" "):
        candidate = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(candidate) <= room:
            lines[-1] = candidate
        elif len(lines) == most:
            lines[-1] = cut(candidate, room)
            break
        elif lines[-1]:
            lines.append(word)
        else:
            lines[-1] = word
    return [cut(line, room) for line in lines]


def _fitted(row: ScreenRow, room: int, most: int) -> list[str]:
    """Return a row on a limited number of lines, with as many of its items as fit."""
    items = [visible(item) for item in row.items]
    text, end = visible(row.text), visible(row.end)
    for count in range(len(items), 0, -1):
        more = f" and {len(items) - count} more" if count < len(items) else ""
        lines = _few_lines(f"{text}{', '.join(items[:count])}{more}{end}", room, most)
        if not lines[-1].endswith("…"):
            return lines
    if row.kind is RowKind.CONDITIONAL:
        return []  # half a condition is meaningless
    if not items:
        return _few_lines(f"{text}{end}", room, most)
    more = f" and {len(items) - 1} more" if len(items) > 1 else ""
    return [cut(f"{cut(f'{text}{items[0]}', max(room - width_of(more + end), 20))}{more}{end}", room)]


def _hint(text: str, room: int) -> str:
    """Return the next commands; where they do not fit, without the path."""
    text = visible(text)
    if width_of(text) <= room:
        return text
    more, gap, hold = text.partition("    ")
    for shorter in (f"more: add -v{gap}{hold}", more, "more: add -v"):
        if width_of(shorter) <= room:
            return shorter
    return "more: add -v"
