"""Reports for people: the first screen, one or two lines a skill for many, and with -v everything that is known."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from remit.core.capability import Change, vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.findings.guarantees import certain
from remit.findings.model import Level
from remit.proof import remedy_for
from remit.report.first_screen import LINES, RowKind, deciding_row, finding_row, first_screen
from remit.report.fold import fold_effects, fold_opaque
from remit.report.screen import visible, width_of
from remit.report.session_text import session_section
from remit.report.wording import LEVEL_STYLE, NO_REMEDY, SEVERITY_STYLE, cut, pad, rank, unread_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.checker.report import Report
    from remit.core.effect import Effect, Opaque
    from remit.findings.model import Finding
    from remit.proof import Escape
    from remit.report.first_screen import Row
    from remit.report.fold import Line
    from remit.report.screen import Screen

_CHANGE = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_ORIGINS = (
    (Origin.HOOK, "runs by itself (hooks)"),
    (Origin.SCRIPT, "its scripts can"),
    (Origin.INSTRUCTED, "its text tells the agent to (instructed)"),
)
_PLACE, _SCOPE, _LEAST = 48, 44, 24  # columns of locations and scopes at most, and of words at least
_SEVERITY = 10  # columns of a severity, with the blanks behind it
_STYLES = {
    RowKind.MANIFEST: "bold",
    RowKind.OPAQUE: "yellow",
    RowKind.GUARANTEES: "green",
    RowKind.MORE: "dim",
    RowKind.UNREAD: "dim",
    RowKind.HINT: "dim",
}
# What goes first where a screen has no room; a number is how many findings are left.
_DROPPED: tuple[RowKind | int, ...] = (
    RowKind.UNREAD, RowKind.WORK, 2, RowKind.LASTING, RowKind.GUARANTEES, RowKind.UNATTENDED, 1, RowKind.OPAQUE, RowKind.ACCEPTED,
)  # fmt: skip
_NAME = 25  # columns of a name, where there are many
_RANKED = 5  # skills that a summary names


class TextReport:
    """Writes reports for one screen."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False, many: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet
        self.many = many
        self.counts = dict.fromkeys(Level, 0)
        self.failed = 0
        self.outside = 0
        self.worst: list[tuple[int, int, Report, str]] = []  # rank and number of each skill to look at, and why

    # ── one skill ──

    def skill(self, report: Report) -> Iterator[str]:
        """The lines for one skill."""
        self._count(report)
        if self.quiet:
            yield self._header(report, 1)[0]
        elif self.many and not self.verbose:
            yield from self._brief(report)
        elif not self.verbose or (report.failure and not report.found.effects):
            yield from self._first_screen(report)
        else:
            yield from self._everything(report)

    def _count(self, report: Report) -> None:
        if report.failure:
            self.failed += 1
        elif report.containment.escapes and report.level is Level.CLEAR:
            self.outside += 1
        else:
            self.counts[report.level] += 1
        row = deciding_row(report)
        if row or report.failure:
            place = -1 if report.failure else report.level.rank
            why = row.whole if row else report.headline
            self.worst.append((place, len(self.worst), report, why))

    def _header(self, report: Report, most: int = 2) -> list[str]:
        """The name and the level in words, on so many lines at most."""
        style = "bad" if report.failure else LEVEL_STYLE[report.level]
        if report.level is Level.CLEAR and report.containment.escapes:
            style = "bad"
        name, words = visible(report.found.skill), visible(report.headline)
        if self.many:
            name = pad(name, _NAME)
        room = self.screen.width - width_of(name) - 3
        lines = _few_lines(words, max(room, 20), most)
        first = f"{self.screen.style(name, 'bold')}   {self.screen.style(lines[0], style)}"
        return [first, *(f"  {self.screen.style(line, style)}" for line in lines[1:])]

    # ── the first screen ──

    def _first_screen(self, report: Report) -> Iterator[str]:
        """As many rows as there is room for; then as much of each, in their order, as there is room for."""
        head = self._header(report)
        rows = first_screen(report)
        for drop in (None, *_DROPPED):
            if isinstance(drop, int):
                left = {row.kind for row in rows} | {RowKind.MORE}
                rows = [row for row in first_screen(report, drop) if row.kind in left]
            else:
                rows = [row for row in rows if row.kind is not drop]
            # what decides is never cut short
            shown = [list(self._row(row, 2 if row is rows[0] else 1)) for row in rows]
            room = LINES - len(head) - sum(map(len, shown))
            if room >= 0:
                break
        for number, row in enumerate(rows):
            longer = list(self._row(row, 2))
            if 0 < len(longer) - len(shown[number]) <= room:
                room -= len(longer) - len(shown[number])
                shown[number] = longer
        yield from [*head, *(line for lines in shown for line in lines)]

    def _brief(self, report: Report) -> Iterator[str]:
        """One skill of many: the headline, and below it what decides."""
        yield self._header(report, 1)[0]
        if report.failure:
            yield from self._remedy(report.failure.remedy, 2)
        elif row := deciding_row(report):
            yield from self._row(row, 1, joined=True)

    def _row(self, row: Row, most: int, *, joined: bool = False) -> Iterator[str]:
        """The lines of a row, so many of each part at most; `joined` puts a finding on one line."""
        if row.kind is RowKind.FINDING:
            yield from self._finding(row, most, joined=joined)
            return
        room = self.screen.width - 4
        lines = [_hint(row.text, room + 2)] if row.kind is RowKind.HINT else _fitted(row, room, most)
        style = _STYLES.get(row.kind, "")
        for number, line in enumerate(lines):
            yield f"{'    ' if number else '  '}{self.screen.style(line, style) if style else line}"

    def _finding(self, row: Row, most: int, *, joined: bool) -> Iterator[str]:
        assert row.severity is not None
        head = self.screen.style(pad(row.severity, _SEVERITY), SEVERITY_STYLE[row.severity])
        room = self.screen.width - 2 - _SEVERITY
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
        below = " " * (2 + _SEVERITY)
        yield from (f"{below}{line}" for line in lines[1:])
        for shorter in ([*steps[:1], "…", *steps[-1:]], [*steps[:1], *steps[-1:]]) if len(steps) > 2 else ():
            way = "  →  ".join(shorter) + end if width_of(way) > room else way
        if steps:
            yield self.screen.style(f"{below}{cut(way, room)}", "dim")

    # ── everything ──

    def _everything(self, report: Report) -> Iterator[str]:
        yield from self._header(report)
        found = report.found
        files = f"{counted(found.analysed, 'file')} analysed, {found.inert} inert"
        files += f", {found.opaque_files} not understood" if found.opaque_files else ""
        yield from (self.screen.style(line, "dim") for line in self.screen.wrap(f"{visible(found.path)} · {files}", 2))
        for row in first_screen(report, 0):
            if row.kind not in (RowKind.MORE, RowKind.OPAQUE, RowKind.UNREAD, RowKind.GUARANTEES, RowKind.HINT):
                yield from self.screen.wrap(visible(row.whole), 4, 2)
        yield from self._findings(report)
        yield from self._flows(report)
        yield from self._guarantees(report)
        yield from self._escapes(report)
        yield from self._opaque(report)
        yield from self._denied(report)
        yield from self._effects(report)
        yield from self._unread(report)
        yield from self._unused(report)
        yield from self._conditions(report)
        yield ""

    def _findings(self, report: Report) -> Iterator[str]:
        if report.concerns:
            yield ""
            yield from self._title("✗", "findings", "bold")
        for finding in report.concerns:
            yield from self._whole_finding(finding)
        if report.concerns:
            file = visible(report.manifest.file) if report.manifest else "remit.json"
            text = f'to accept a finding, add its entry {{…}} to "accepted" in {file}, with your reason'
            yield from (self.screen.style(line, "dim") for line in self.screen.wrap(text, 2))
        if accepted := report.acceptances.accepted:
            yield ""
            yield from self._title("·", "accepted findings", "bold")
            for finding, entry in accepted:
                yield from self._row(finding_row(finding), 2)
                until = f", until {entry.until}" if entry.until else ""
                yield from self.screen.wrap(f"accepted: {visible(entry.reason)}{until}", 2 + _SEVERITY)

    def _whole_finding(self, finding: Finding) -> Iterator[str]:
        below = 2 + _SEVERITY
        head = self.screen.style(pad(finding.severity, _SEVERITY), SEVERITY_STYLE[finding.severity])
        first, *rest = self.screen.wrap(f"{visible(finding.message)}  {self.screen.style(finding.rule, 'cyan')}", below)
        yield f"  {head}{first.lstrip()}"
        yield from rest
        row = finding_row(finding)
        for number, step in enumerate(row.detail):
            end = row.end if number == len(row.detail) - 1 else ""
            yield from self.screen.wrap(f"{'→ ' if number else ''}{visible(step)}{end}", below + 2, below)
        fix = self.screen.wrap(f"fix: {visible(finding.fix)}", below + 5, below) if finding.fix else ()
        yield from (self.screen.style(line, "cyan") for line in fix)
        yield from (self.screen.style(line, "dim") for line in self.screen.wrap(visible(_entry(finding)), below))

    def _flows(self, report: Report) -> Iterator[str]:
        flows = report.found.flows
        if not flows:
            return
        yield ""
        yield from self._title("·", "where data goes", "bold")
        for flow in flows:
            ends = [f"{end.capability} {end.scope.render()}" for end in (flow.source, flow.sink)]
            places = [flow.source.where, *flow.steps, flow.sink.where]
            through = " through the agent's context" if flow.model else ""
            way = self.screen.style(" → ".join(visible(str(place)) for place in places), "dim")
            yield from self.screen.wrap(f"{visible(' → '.join(ends))}{through}  {way}", 4, 2)

    def _guarantees(self, report: Report) -> Iterator[str]:
        yield ""
        yield from self._title("·", "what it never does", "bold")
        for item in report.guarantees:
            if item.broken_by:
                text = f'✗ not "{visible(item.text)}": {_some(item.broken_by)}'
                yield from (self.screen.style(line, "dim") for line in self.screen.wrap(text, 4, 2))
                continue
            mark, style = ("✓", "green") if item.holds else ("?", "yellow")
            yield from (
                self.screen.style(line, style) for line in self.screen.wrap(f"{mark} {visible(item.text)}", 4, 2)
            )
            notes = [f"unless {_some(item.obstacles)} does it, which is not understood"] if item.obstacles else []
            for text in (*notes, *(f"if {text}" for text in item.rests_on)):
                yield from (self.screen.style(line, "dim") for line in self.screen.wrap(text, 6, 4))

    def _remedy(self, text: str, indent: int) -> Iterator[str]:
        if text:
            lines = self.screen.wrap(f"→ {visible(text)}", indent + 2, indent)
            yield from (self.screen.style(line, "cyan") for line in lines)

    def _escapes(self, report: Report) -> Iterator[str]:
        escapes = report.containment.escapes
        if not escapes or report.manifest is None:
            return
        yield ""
        yield from self._title("✗", f"outside of {visible(report.manifest.file)}", "bad")
        groups: dict[tuple[str, str], list[Escape]] = {}
        for item in sorted(escapes, key=lambda found: rank(found.effect.capability)):
            groups.setdefault((item.effect.capability, item.reason), []).append(item)
        for (capability, reason), items in groups.items():
            yield from self.screen.wrap(f"{self._capability(capability)}  {visible(reason)}", 4, 2)
            found = [item.effect for item in items]
            yield from self._evidence(fold_effects(found, origins=True), 4)
            yield from self._remedy(remedy_for(found, declared=items[0].declared), 4)
        yield from session_section(self.screen, report.sessions, every=True)

    def _opaque(self, report: Report) -> Iterator[str]:
        found = certain(report.found)
        lines = fold_opaque(found.opaque)
        if lines:
            yield ""
            yield from self._title("?", "not understood: it could do anything there", "yellow")
            place = min(_PLACE, max(width_of(visible(line.place)) for line in lines))
            for line in lines:
                words = visible(line.reason) + self.screen.style(visible(line.more), "dim")
                yield from self._hanging(pad(visible(line.place), place), words, 2, place)
                yield from self._remedy(line.remedy or NO_REMEDY, place + 4)
        if found.shown:
            yield ""
            text = f"not understood in samples: {counted(len(found.shown), 'location')} ({_files_of(found.shown)})"
            yield from self._title("?", text, "dim")

    def _denied(self, report: Report) -> Iterator[str]:
        groups: dict[tuple[str, str, int], list[Effect]] = {}
        for item in sorted(report.containment.denied, key=lambda found: rank(found.effect.capability)):
            denial = f"{item.entry.capability} {item.entry.place}"
            groups.setdefault((item.effect.capability, denial, item.entry.line), []).append(item.effect)
        if not groups:
            return
        yield ""
        yield from self._title("·", "denied: tried, and refused at run time", "bold")
        for (capability, denial, line), effects in groups.items():
            by = f"line {line} denies {visible(denial)}" if line else f"the manifest denies {visible(denial)}"
            yield from self.screen.wrap(f"{self._capability(capability)}  {self.screen.style(by, 'dim')}", 4, 2)
            yield from self._evidence(fold_effects(effects, origins=True), 4)

    def _effects(self, report: Report) -> Iterator[str]:
        """By origin, samples last and only counted; without those that escape or are denied: they were shown."""
        shown = {item.effect for item in report.containment.escapes}
        shown |= {item.effect for item in report.containment.denied}
        samples = frozenset(report.found.samples)
        inside = [effect for effect in report.found.effects if effect not in shown]
        name = visible(report.manifest.file.rpartition("/")[2]) if report.manifest else ""
        for origin, title in _ORIGINS:
            effects = [effect for effect in inside if effect.origin is origin and effect.where not in samples]
            if effects:
                yield ""
                yield from self._title(f"✓ inside {name}:" if name else "", title, "bold")
                yield from self._groups(effects)
        if quoted := [effect for effect in inside if effect.where in samples]:
            yield ""
            count = counted(len({(one.capability, one.scope, one.where) for one in quoted}), "effect")
            yield from self._title("", f"samples in its documents: {count} ({_files_of(quoted)})", "bold")
            names = ", ".join(sorted({effect.capability for effect in quoted}, key=rank))
            yield from self.screen.wrap(names, 2)

    def _groups(self, effects: Sequence[Effect]) -> Iterator[str]:
        groups: dict[str, list[Effect]] = {}
        for effect in effects:
            groups.setdefault(effect.capability, []).append(effect)
        for capability in sorted(groups, key=rank):
            change = _CHANGE[vocabulary()[capability].change]
            yield f"  {self._capability(capability)}  {self.screen.style(change, 'dim')}"
            yield from self._evidence(fold_effects(groups[capability]), 4)

    def _capability(self, name: str) -> str:
        return self.screen.style(name, "bold")

    def _evidence(self, lines: Sequence[Line], indent: int) -> Iterator[str]:
        """`file:line  scope  why`, in columns as wide as this capability needs and the screen allows."""
        place = min(_PLACE, max(width_of(visible(line.place)) for line in lines))
        scope = min(_SCOPE, max(width_of(visible(line.scope)) for line in lines))
        if indent + place + scope + 4 + _LEAST > self.screen.width:
            scope = 0
        for line in lines:
            yield from self._evidence_line(line, indent, place, scope)

    def _evidence_line(self, line: Line, indent: int, place: int, scope: int) -> Iterator[str]:
        mark = self.screen.style(f" [{line.origin}]", "cyan") if line.origin else ""
        why = visible(line.why) + mark
        where, what = visible(line.place), visible(line.scope)
        if width_of(where) <= place and 0 < width_of(what) <= scope:
            yield from self._hanging(f"{pad(where, place)}  {pad(what, scope)}", why, indent, place + scope + 2)
        else:
            yield from self._hanging(pad(where, place), f"{what}  {why}", indent, place)
        if line.path:
            yield from self.screen.wrap(self.screen.style(f"called from {visible(line.path)}", "dim"), indent + 4)

    def _hanging(self, head: str, text: str, indent: int, width: int) -> Iterator[str]:
        """Text beside a head of so many columns, if both fit; else below it."""
        hang = indent + width + 2
        if width_of(head) <= width and (
            hang + _LEAST <= self.screen.width or hang + width_of(text) <= self.screen.width
        ):
            first, *rest = self.screen.wrap(text, hang)
            yield f"{' ' * indent}{head}  {first.lstrip()}".rstrip()
            yield from rest
        else:
            yield f"{' ' * indent}{head}".rstrip()
            yield from self.screen.wrap(text, indent + 4)

    def _unread(self, report: Report) -> Iterator[str]:
        """Sentences that are not checked."""
        unread = report.found.unread
        if not unread:
            return
        yield ""
        yield from self._title("·", unread_words(len(unread)), "bold")
        place = min(_PLACE, max(width_of(visible(str(item.where))) for item in unread))
        for item in unread:
            likely = self.screen.style(f"  [{', '.join(item.likely)}]", "dim") if item.likely else ""
            yield from self._hanging(pad(visible(str(item.where)), place), visible(item.text) + likely, 2, place)

    def _unused(self, report: Report) -> Iterator[str]:
        if not report.containment.unused:
            return
        yield ""
        note = ", as far as the skill is understood" if report.found.opaque else ""
        yield from self._title("·", f"declared, but never used{note}", "bold")
        for entry in report.containment.unused:
            yield f"  {entry.capability} {visible(entry.place)}  {self.screen.style(f'line {entry.line}', 'dim')}"

    def _conditions(self, report: Report) -> Iterator[str]:
        needed = [item for item in report.containment.residuals if item.kind != "assumption"]
        if needed:
            yield ""
            yield from self._title("·", "this holds if, at run time,", "bold")
        for item in needed:
            where = f" ({item.where})" if item.where else ""
            layer = self.screen.style(f" [{visible(item.layer)}]", "dim")
            yield from self.screen.wrap(f"{visible(item.meaning + where)}{layer}", 4, 2)
        if not report.assumed:
            return
        yield ""
        yield from self._title("·", "it rests on", "bold")
        always = [assumed.ident for assumed in report.assumed if assumed.when == "always"]
        for assumed in report.assumed:
            if assumed.when != "always":
                layer = self.screen.style(f" [{visible(assumed.layer)}]", "dim")
                yield from self.screen.wrap(f"{visible(assumed.ident)}: {visible(assumed.meaning)}{layer}", 4, 2)
        text = f"what every result rests on: {', '.join(always)} (`remit explain assumptions`)"
        yield from (self.screen.style(line, "dim") for line in self.screen.wrap(text, 4, 2))

    def _title(self, mark: str, text: str, style: str) -> Iterator[str]:
        yield from (self.screen.style(line, style) for line in self.screen.wrap(f"{mark} {text}".lstrip(), 2, 0))

    # ── all skills ──

    def summary(self) -> Iterator[str]:
        """The last lines of a run over several skills: how many of each level, and the worst first."""
        counts = {"not read to the end": self.failed, **{level.words: count for level, count in self.counts.items()}}
        clear = counts.pop(Level.CLEAR.words)
        counts |= {"outside of their manifests": self.outside, Level.CLEAR.words: clear}
        total = sum(counts.values())
        words = [f"{count} {text}" for text, count in counts.items() if count]
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
    """A text in so many lines at most; what is too long ends in an ellipsis."""
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


def _fitted(row: Row, room: int, most: int) -> list[str]:
    """A row on so many lines at most, with as many of its items as there is room for."""
    items = [visible(item) for item in row.items]
    text, end = visible(row.text), visible(row.end)
    for count in range(len(items), 0, -1):
        more = f" and {len(items) - count} more" if count < len(items) else ""
        lines = _few_lines(f"{text}{', '.join(items[:count])}{more}{end}", room, most)
        if not lines[-1].endswith("…"):
            return lines
    more = f" and {len(items) - 1} more" if len(items) > 1 else ""
    first = items[0] if items else ""
    return [cut(f"{cut(f'{text}{first}', max(room - width_of(more + end), 20))}{more}{end}", room)]


def _hint(text: str, room: int) -> str:
    """The next commands; where they do not fit, without the path."""
    text = visible(text)
    if width_of(text) <= room or not text.startswith("more:"):
        return text
    more, gap, hold = text.partition("    ")
    for shorter in (f"more: add -v{gap}{hold}", more, "more: add -v"):
        if width_of(shorter) <= room:
            return shorter
    return "more: add -v"


def _entry(finding: Finding) -> str:
    """What accepts a finding, for a manifest."""
    entry = {"finding": finding.rule, "where": str(finding.where), "digest": finding.digest, "reason": "…"}
    return json.dumps(entry, ensure_ascii=False)


def _files_of(found: Sequence[Effect] | Sequence[Opaque]) -> str:
    return _listed(sorted({one.where.file for one in found}))


def _some(found: Sequence[Effect] | Sequence[Opaque]) -> str:
    return _listed(list(dict.fromkeys(str(one.where) for one in found)))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return visible(", ".join(names[:3])) + more
