"""Reports for people: the verdict first, then what is wrong and what to do, then everything else, the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import Change, Level, vocabulary
from remit.core.effect import Origin
from remit.proof import Verdict
from remit.report.fold import Line, fold_effects, fold_opaque
from remit.report.screen import visible, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.core.effect import Effect
    from remit.report.model import Report
    from remit.report.screen import Screen

LEVELS = (Level.SYSTEM, Level.DANGEROUS, Level.REDACT, Level.NORMAL)  # the worst first
_LEVEL_STYLE = {Level.SYSTEM: "red", Level.DANGEROUS: "yellow", Level.REDACT: "yellow", Level.NORMAL: "green"}
_CHANGE = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_VERDICT_STYLE = {
    Verdict.CONTAINED: "green",
    Verdict.ESCAPES: "bad",
    Verdict.OPAQUE: "bad",
    Verdict.UNDECLARED: "cyan",
}
_ORIGINS = (
    (Origin.HOOK, "runs by itself (hooks)"),
    (Origin.SCRIPT, "its scripts can"),
    (Origin.INSTRUCTED, "its text tells the agent to (instructed)"),
)
SHOWN = 5  # lines for one capability, unless all are asked for
_PLACE, _SCOPE = 38, 44  # columns, at most


class TextReport:
    """Writes reports for one screen."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet
        self.counts = dict.fromkeys(Verdict, 0)
        self.failed = 0
        self.with_opaque = 0

    # ── one skill ──

    def skill(self, report: Report) -> Iterator[str]:
        """The lines for one skill."""
        self._count(report)
        yield from self._header(report)
        if self.quiet:
            return
        if report.failure and not report.found.effects:
            yield from self._remedy(report.failure.remedy, 2)
            yield ""
            return
        yield from self._escapes(report)
        yield from self._opaque(report)
        yield from self._effects(report)
        yield from self._unused(report)
        yield from self._conditions(report)
        yield ""

    def _count(self, report: Report) -> None:
        self.counts[report.verdict] += 1
        self.failed += report.failure is not None
        self.with_opaque += bool(report.found.opaque)

    def _header(self, report: Report) -> Iterator[str]:
        found, style = report.found, self.screen.style
        name = style(visible(found.skill), "bold")
        verdict = style(_verdict_words(report), _VERDICT_STYLE[report.verdict])
        if report.failure and not found.effects:
            yield from self.screen.wrap(f"{name}  {verdict}: {visible(report.failure.message)}", 2, 0)
            return
        capabilities = len({effect.capability for effect in found.effects})
        parts = [
            _count(capabilities, "capability", "capabilities")
            + (f" at {_count(len(found.effects), 'place')}" if found.effects else "")
        ]
        if report.containment.escapes:
            parts.append(style(_count(len(report.containment.escapes), "escape"), "bad"))
        if found.opaque:
            parts.append(style(_count(len(found.opaque), "opaque place"), "bad"))
        yield from self.screen.wrap(f"{name}  {verdict}  {', '.join(parts)}", 2, 0)
        if not self.quiet:
            files = f"{_count(found.analysed, 'file')} analysed, {found.inert} inert"
            files += f", {found.opaque_files} opaque" if found.opaque_files else ""
            yield style(f"{visible(found.path)} · {files}", "dim")

    def _remedy(self, text: str, indent: int) -> Iterator[str]:
        if text:
            lines = self.screen.wrap(f"→ {visible(text)}", indent + 2, indent)
            yield from (self.screen.style(line, "cyan") for line in lines)

    # ── what is wrong ──

    def _escapes(self, report: Report) -> Iterator[str]:
        escapes = report.containment.escapes
        if not escapes or report.manifest is None:
            return
        yield ""
        yield self._title("✗", f"outside of {visible(report.manifest.file)}", "bad")
        reasons: dict[tuple[str, str, str], list[Effect]] = {}
        for item in sorted(escapes, key=lambda found: _rank(found.effect.capability)):
            reasons.setdefault((item.effect.capability, item.reason, item.remedy), []).append(item.effect)
        for (capability, reason, remedy), effects in reasons.items():
            yield f"  {self._capability(capability)}  {visible(reason)}"
            yield from self._evidence(fold_effects(effects, all_places=self.verbose), 4)
            yield from self._remedy(remedy, 4)

    def _opaque(self, report: Report) -> Iterator[str]:
        if not report.found.opaque:
            return
        yield ""
        yield self._title("?", "not understood, so not contained", "bad")
        for reason, remedy, places in fold_opaque(report.found.opaque, all_places=self.verbose):
            yield from self.screen.wrap(visible(reason), 4, 2)
            yield from self.screen.wrap(self.screen.style(visible(places), "dim"), 4)
            yield from self._remedy(remedy or "write it so that it can be followed, or remove it", 4)

    # ── what it can do ──

    def _effects(self, report: Report) -> Iterator[str]:
        origins = [
            (origin, title) for origin, title in _ORIGINS if any(e.origin is origin for e in report.found.effects)
        ]
        for origin, title in origins:
            yield ""
            yield self.screen.style(title, "bold")
            effects = [effect for effect in report.found.effects if effect.origin is origin]
            yield from self._groups(effects, report)

    def _groups(self, effects: Sequence[Effect], report: Report) -> Iterator[str]:
        groups: dict[str, list[Effect]] = {}
        for effect in effects:
            groups.setdefault(effect.capability, []).append(effect)
        outside = {item.effect for item in report.containment.escapes}
        for capability in sorted(groups, key=_rank):
            mark = ""
            if report.manifest:
                escaped = any(effect in outside for effect in groups[capability])
                mark = self.screen.style("✗ ", "bad") if escaped else self.screen.style("✓ ", "green")
            yield f"  {mark}{self._capability(capability)}  {self._level(capability)}"
            yield from self._evidence(fold_effects(groups[capability], all_places=self.verbose), 4)

    def _capability(self, name: str) -> str:
        return self.screen.style(name, _LEVEL_STYLE[vocabulary()[name].level])

    def _level(self, name: str) -> str:
        found = vocabulary()[name]
        return self.screen.style(f"{found.level}, {_CHANGE[found.change]}", "dim")

    def _evidence(self, lines: Sequence[Line], indent: int) -> Iterator[str]:
        """`file:line  scope  why`, in columns as wide as this capability needs."""
        few = lines if self.verbose or len(lines) <= SHOWN + 1 else lines[:SHOWN]
        place = min(_PLACE, max(width_of(visible(line.place)) for line in few))
        scope = min(_SCOPE, max(width_of(visible(line.scope)) for line in few))
        for line in few:
            yield from self._evidence_line(line, indent, place, scope)
        hidden = sum(line.places for line in lines[len(few) :])
        if hidden:
            yield self.screen.style(f"{' ' * indent}… and {_count(hidden, 'more place')} (-v shows all)", "dim")

    def _evidence_line(self, line: Line, indent: int, place: int, scope: int) -> Iterator[str]:
        more = f" (and {_count(line.places - 1, 'more place')})" if line.places > 1 else ""
        head = f"{_pad(visible(line.place), place)}  {_pad(visible(line.scope), scope)}"
        why = visible(line.why) + self.screen.style(more, "dim")
        hang = indent + place + scope + 4
        if width_of(head) <= place + scope + 2 and hang + 24 <= self.screen.width:
            yield from (
                self.screen.wrap(f"{head}  {why}".rstrip(), hang, indent)
                if " " not in head.strip()
                else self._hanging(head, why, indent, hang)
            )
        else:
            yield f"{' ' * indent}{head.rstrip()}"
            yield from self.screen.wrap(why, indent + 4)
        if self.verbose and line.path:
            yield from self.screen.wrap(self.screen.style(f"called from {visible(line.path)}", "dim"), indent + 4)

    def _hanging(self, head: str, why: str, indent: int, hang: int) -> Iterator[str]:
        first, *rest = self.screen.wrap(why, hang)
        yield f"{' ' * indent}{head}  {first.lstrip()}".rstrip()
        yield from rest

    # ── what is left ──

    def _unused(self, report: Report) -> Iterator[str]:
        if not report.containment.unused:
            return
        yield ""
        note = ", as far as the skill is understood" if report.found.opaque else ""
        yield self._title("·", f"declared, but never used{note}", "bold")
        for entry in report.containment.unused:
            yield f"  {entry.capability} {visible(entry.scope.render())}  {self.screen.style(f'line {entry.line}', 'dim')}"

    def _conditions(self, report: Report) -> Iterator[str]:
        conditions = [item for item in report.containment.residuals if item.kind != "assumption"]
        if conditions:
            yield ""
            yield self._title("·", "this holds if, at run time,", "bold")
            for item in conditions:
                where = f" ({item.where})" if item.where and self.verbose else ""
                layer = self.screen.style(f" [{item.layer}]", "dim")
                yield from self.screen.wrap(f"{visible(item.meaning)}{visible(where)}{layer}", 4, 2)
        if report.assumed:
            yield ""
            if self.verbose:
                yield self._title("·", "and rests on", "bold")
                for assumed in report.assumed:
                    layer = self.screen.style(f" [{assumed.layer}]", "dim")
                    yield from self.screen.wrap(f"{visible(assumed.ident)}: {assumed.meaning}{layer}", 4, 2)
            else:
                names = ", ".join(visible(item.ident) for item in report.assumed)
                lines = self.screen.wrap(
                    f"rests on: {names} (`remit explain {visible(report.assumed[0].ident)}`)", 2, 0
                )
                yield from (self.screen.style(line, "dim") for line in lines)

    def _title(self, mark: str, text: str, style: str) -> str:
        return self.screen.style(f"{mark} {text}", style)

    # ── all skills ──

    def summary(self) -> Iterator[str]:
        """The last lines of a run over several skills."""
        total = sum(self.counts.values())
        parts = [f"{self.counts[verdict]} {verdict}" for verdict in Verdict if self.counts[verdict]]
        text = f"{_count(total, 'skill')}: {', '.join(parts)}"
        if self.with_opaque:
            text += f"; {self.with_opaque} with opaque places"
        if self.failed:
            text += f"; {self.failed} not read to the end"
        yield self.screen.style(text, "bold")


def _verdict_words(report: Report) -> str:
    if report.failure:
        return "failed"
    needed = any(item.kind != "assumption" for item in report.containment.residuals)
    if report.verdict is Verdict.CONTAINED and needed:
        return "contained if its conditions hold"
    return str(report.verdict)


def _rank(capability: str) -> tuple[int, str]:
    return LEVELS.index(vocabulary()[capability].level), capability


def _count(number: int, word: str, several: str = "") -> str:
    return f"{number} {word if number == 1 else several or word + 's'}"


def _pad(text: str, width: int) -> str:
    return text + " " * max(0, width - width_of(text))


def lines_of(report: Report, screen: Screen, *, verbose: bool = False) -> Iterable[str]:
    """The lines for one skill alone."""
    return TextReport(screen, verbose=verbose).skill(report)
