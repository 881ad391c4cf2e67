"""The full report on a skill as text: what `remit check -v` prints below the headline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.counting import counted
from remit.core.effect import Effect, Opaque, Origin
from remit.core.via import IF_OPTION
from remit.findings.guarantees import Certain
from remit.proof import Escape, remedy_for
from remit.report.first_screen import RowKind, finding_row, first_screen
from remit.report.screen import Screen, visible, width_of
from remit.report.session_text import session_section
from remit.report.wording import NO_REMEDY, SEVERITY_STYLE, SEVERITY_WIDTH, pad, rank, remedy_lines, unread_words

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.findings.model import Finding


class EvidenceLine(NamedTuple):
    """One line of evidence."""

    place: str
    scope: str
    why: str
    path: str
    origin: str = ""  # where it is not a script, and not said above


class OpaqueLine(NamedTuple):
    """One reason, its first location, and the others in words."""

    place: str
    reason: str
    more: str
    remedy: str


def fold_effects(effects: Iterable[Effect], *, origins: bool = False) -> list[EvidenceLine]:
    """Return lines of evidence for one capability: one for each scope at each location, whatever its cause."""
    groups: dict[tuple[object, ...], list[Effect]] = {}
    for effect in effects:
        groups.setdefault((effect.scope.render(), effect.origin, effect.where), []).append(effect)
    return [_line(found, origins=origins) for found in groups.values()]


def _line(found: Sequence[Effect], *, origins: bool) -> EvidenceLine:
    first = found[0]
    origin = str(first.origin) if origins and first.origin is not Origin.SCRIPT else ""
    calls = " → ".join(map(str, first.path))
    why = "; ".join(dict.fromkeys(effect.why for effect in found))
    return EvidenceLine(str(first.where), first.scope.render(), why, calls, origin)


def fold_opaque(items: Iterable[Opaque]) -> list[OpaqueLine]:
    """Return one line for each reason, those with most locations first."""
    groups: dict[tuple[str, ...], list[Opaque]] = {}
    for item in items:
        groups.setdefault((item.reason, item.remedy), []).append(item)
    out: list[OpaqueLine] = []
    for found in sorted(groups.values(), key=lambda found: (-len(found), found[0].where)):
        others = [str(item.where) for item in found[1:]]
        more = f" (also {', '.join(others)})" if others else ""
        out.append(OpaqueLine(str(found[0].where), found[0].reason, more, found[0].remedy))
    return out


_CHANGE = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_ORIGINS = (
    (Origin.HOOK, "runs by itself (hooks)"),
    (Origin.SCRIPT, "its scripts can"),
    (Origin.INSTRUCTED, "its text tells the agent to (instructed)"),
)
_PLACE, _SCOPE, _LEAST = 48, 44, 24  # columns of locations and scopes at most, and of words at least
_BELOW = 2 + SEVERITY_WIDTH  # indent of the text of a finding


class FullText:
    """Renders the full report for one screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def lines(self, report: Report) -> Iterator[str]:
        """Return what follows the headline."""
        found = report.found
        files = f"{counted(found.analysed, 'file')} analysed, {found.inert} inert"
        files += f", {found.opaque_files} not understood" if found.opaque_files else ""
        yield from (self.screen.style(line, "dim") for line in self.screen.wrap(f"{visible(found.path)} · {files}", 2))
        for row in first_screen(report, 0):
            if row.kind not in (
                RowKind.MORE,
                RowKind.OPAQUE,
                RowKind.UNREAD,
                RowKind.GUARANTEES,
                RowKind.CONDITIONAL,
                RowKind.HINT,
            ):
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
                yield from self._message(finding)
                until = f", until {entry.until}" if entry.until else ""
                yield from self.screen.wrap(f"accepted: {visible(entry.reason)}{until}", _BELOW)

    def _whole_finding(self, finding: Finding) -> Iterator[str]:
        yield from self._message(finding)
        fix = self.screen.wrap(f"fix: {visible(finding.fix)}", _BELOW + 5, _BELOW) if finding.fix else ()
        yield from (self.screen.style(line, "cyan") for line in fix)
        yield from (self.screen.style(line, "dim") for line in self.screen.wrap(visible(_entry(finding)), _BELOW))

    def _message(self, finding: Finding) -> Iterator[str]:
        """Return the message of a finding with its rule, and below it every step of it."""
        head = self.screen.style(pad(finding.severity, SEVERITY_WIDTH), SEVERITY_STYLE[finding.severity])
        rule = self.screen.style(finding.rule, "cyan")
        first, *rest = self.screen.wrap(f"{visible(finding.message)}  {rule}", _BELOW)
        yield f"  {head}{first.lstrip()}"
        yield from rest
        row = finding_row(finding)
        for number, step in enumerate(row.detail):
            end = row.end if number == len(row.detail) - 1 else ""
            yield from self.screen.wrap(f"{'→ ' if number else ''}{visible(step)}{end}", _BELOW + 2, _BELOW)

    def _flows(self, report: Report) -> Iterator[str]:
        flows = report.found.flows
        if not flows:
            return
        yield ""
        yield from self._title("·", "where data goes", "bold")
        certain = {effect[:3] for effect in report.found.effects if not effect.via.possible}
        for flow in flows:
            ends = [f"{end.capability} {end.scope.render()}" for end in (flow.source, flow.sink)]
            places = [flow.source.where, *flow.steps, flow.sink.where]
            through = " through the agent's context" if flow.model else ""
            through += IF_OPTION if flow.sink not in certain else ""
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
            mark, style = ("✓", "green") if item.about else ("?", "yellow")
            subject = item.about.words if item.about else ""
            text = f"{mark} {subject}{visible(item.text)}"
            yield from (self.screen.style(line, style) for line in self.screen.wrap(text, 4, 2))
            for condition in (condition for standing in item.conditions for condition in standing.conditions):
                note = f"{'not certain of the rest' if item.about else 'except possibly'} {condition.note}"
                yield from (self.screen.style(line, "dim") for line in self.screen.wrap(visible(note), 6, 4))

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
            yield from remedy_lines(self.screen, remedy_for(found, declared=items[0].declared), 4)
        yield from session_section(self.screen, report.sessions, every=True)

    def _opaque(self, report: Report) -> Iterator[str]:
        found = Certain(report.found)
        lines = fold_opaque(found.opaque)
        if lines:
            yield ""
            yield from self._title("?", "not understood: it could do anything there", "yellow")
            place = min(_PLACE, max(width_of(visible(line.place)) for line in lines))
            for line in lines:
                words = visible(line.reason) + self.screen.style(visible(line.more), "dim")
                yield from self._hanging(pad(visible(line.place), place), words, 2, place)
                yield from remedy_lines(self.screen, line.remedy or NO_REMEDY, place + 4)
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
        """Return effects by origin, samples last and only counted; without escapes and denials, which were already
        shown.
        """
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

    def _evidence(self, lines: Sequence[EvidenceLine], indent: int) -> Iterator[str]:
        """Return `file:line  scope  why`, in columns as wide as this capability needs and the screen allows."""
        place = min(_PLACE, max(width_of(visible(line.place)) for line in lines))
        scope = min(_SCOPE, max(width_of(visible(line.scope)) for line in lines))
        if indent + place + scope + 4 + _LEAST > self.screen.width:
            scope = 0
        for line in lines:
            yield from self._evidence_line(line, indent, place, scope)

    def _evidence_line(self, line: EvidenceLine, indent: int, place: int, scope: int) -> Iterator[str]:
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
        """Return text beside a head, if both fit; else below it."""
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
        """Return sentences that are not checked."""
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


def _entry(finding: Finding) -> str:
    """Return the manifest entry that accepts a finding."""
    entry = {"finding": finding.rule, "where": str(finding.where), "digest": finding.digest, "reason": "…"}
    return json.dumps(entry, ensure_ascii=False)


def _files_of(found: Sequence[Effect] | Sequence[Opaque]) -> str:
    return _listed(sorted({one.where.file for one in found}))


def _some(found: Sequence[Effect] | Sequence[Opaque]) -> str:
    return _listed(list(dict.fromkeys(str(one.where) for one in found)))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return visible(", ".join(names[:3])) + more
