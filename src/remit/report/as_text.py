"""Reports for people: the verdict first, then what is wrong and what to do, then everything else, the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import Change, Level, vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.proof import Verdict, remedy_for
from remit.report.fold import Line, fold_effects, fold_opaque
from remit.report.screen import visible, width_of
from remit.report.session_text import session_section
from remit.report.wording import NO_REMEDY, pad, rank, unread_words, verdict_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.proof import Escape
    from remit.report.screen import Screen

_LEVEL_STYLE = {Level.SYSTEM: "red", Level.DANGEROUS: "yellow", Level.REDACT: "yellow", Level.NORMAL: "green"}
_CHANGE = {Change.NONE: "changes nothing", Change.REVERSIBLE: "reversible", Change.IRREVERSIBLE: "irreversible"}
_VERDICT_STYLE = {
    Verdict.CONTAINED: "green",
    Verdict.ESCAPES: "bad",
    Verdict.OPAQUE: "bad",
    Verdict.UNDECLARED: "cyan",
}
_MARKS = {Verdict.CONTAINED: "✓", Verdict.ESCAPES: "✗", Verdict.OPAQUE: "✗", Verdict.UNDECLARED: "·"}
_ORIGINS = (
    (Origin.HOOK, "runs by itself (hooks)"),
    (Origin.SCRIPT, "its scripts can"),
    (Origin.INSTRUCTED, "its text tells the agent to (instructed)"),
)
SHOWN = 5  # lines for one capability, unless all are asked for
_PLACE, _SCOPE, _LEAST = 48, 44, 24  # columns of places and scopes at most, and of words at least


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
        yield from self._denied(report)
        yield from self._effects(report)
        yield from self._unread(report)
        yield from self._unused(report)
        yield from self._conditions(report)
        yield ""

    def _count(self, report: Report) -> None:
        self.counts[report.verdict] += 1
        self.failed += report.failure is not None
        self.with_opaque += bool(report.found.opaque)

    def _header(self, report: Report) -> Iterator[str]:
        found, style = report.found, self.screen.style
        name = f"{style(_MARKS[report.verdict], _VERDICT_STYLE[report.verdict])} {style(visible(found.skill), 'bold')}"
        verdict = style(verdict_words(report), _VERDICT_STYLE[report.verdict])
        if report.failure and not found.effects:
            yield from self.screen.wrap(f"{name}  {verdict}: {visible(report.failure.message)}", 2, 0)
            return
        capabilities = len({effect.capability for effect in found.effects})
        parts = [
            counted(capabilities, "capability", "capabilities")
            + (f" at {counted(len(found.effects), 'place')}" if found.effects else "")
        ]
        if report.containment.escapes:
            parts.append(style(counted(len(report.containment.escapes), "escape"), "bad"))
        if report.containment.denied:
            parts.append(counted(len(report.containment.denied), "denied attempt"))
        if found.opaque:
            parts.append(style(counted(len(found.opaque), "opaque place"), "bad"))
        yield from self.screen.wrap(f"{name}  {verdict}  {', '.join(parts)}", 2, 0)
        if not self.quiet:
            files = f"{counted(found.analysed, 'file')} analysed, {found.inert} inert"
            files += f", {found.opaque_files} opaque" if found.opaque_files else ""
            yield from (style(line, "dim") for line in self.screen.wrap(f"{visible(found.path)} · {files}", 2, 0))

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
        yield from self._title("✗", f"outside of {visible(report.manifest.file)}", "bad")
        groups: dict[tuple[str, str], list[Escape]] = {}
        for item in sorted(escapes, key=lambda found: rank(found.effect.capability)):
            groups.setdefault((item.effect.capability, item.reason), []).append(item)
        for (capability, reason), items in groups.items():
            yield from self.screen.wrap(f"{self._capability(capability)}  {visible(reason)}", 4, 2)
            yield from self._evidence(
                fold_effects([item.effect for item in items], all_places=self.verbose, origins=True), 4
            )
            found = [item.effect for item in items]
            yield from self._remedy(remedy_for(found, declared=items[0].declared), 4)
        yield from session_section(self.screen, report.sessions, every=self.verbose)

    def _opaque(self, report: Report) -> Iterator[str]:
        lines = fold_opaque(report.found.opaque, all_places=self.verbose)
        if not lines:
            return
        yield ""
        yield from self._title("?", "not understood, so not contained", "bad")
        place = min(_PLACE, max(width_of(visible(line.place)) for line in lines))
        for line in lines:
            words = visible(line.reason) + self.screen.style(visible(line.more), "dim")
            yield from self._hanging(pad(visible(line.place), place), words, 2, place)
            yield from self._remedy(line.remedy or NO_REMEDY, place + 4)

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
            yield from self._evidence(fold_effects(effects, all_places=self.verbose, origins=True), 4)

    # ── what it can do ──

    def _effects(self, report: Report) -> Iterator[str]:
        """By origin, without those that escape or are denied: they were shown."""
        shown = {item.effect for item in report.containment.escapes}
        shown |= {item.effect for item in report.containment.denied}
        inside = [effect for effect in report.found.effects if effect not in shown]
        if not report.found.effects and not report.found.opaque:
            yield ""
            yield "it exercises no capability"
        for origin, title in _ORIGINS:
            effects = [effect for effect in inside if effect.origin is origin]
            if effects:
                yield ""
                name = visible(report.manifest.file.rpartition("/")[2]) if report.manifest else ""
                yield from self._title(f"✓ inside {name}:" if name else "", title, "bold")
                yield from self._groups(effects)

    def _groups(self, effects: Sequence[Effect]) -> Iterator[str]:
        groups: dict[str, list[Effect]] = {}
        for effect in effects:
            groups.setdefault(effect.capability, []).append(effect)
        for capability in sorted(groups, key=rank):
            yield f"  {self._capability(capability)}  {self._level(capability)}"
            yield from self._evidence(fold_effects(groups[capability], all_places=self.verbose), 4)

    def _capability(self, name: str) -> str:
        return self.screen.style(name, _LEVEL_STYLE[vocabulary()[name].level])

    def _level(self, name: str) -> str:
        found = vocabulary()[name]
        return self.screen.style(f"{found.level}, {_CHANGE[found.change]}", "dim")

    def _evidence(self, lines: Sequence[Line], indent: int) -> Iterator[str]:
        """`file:line  scope  why`, in columns as wide as this capability needs and the screen allows."""
        few = lines if self.verbose or len(lines) <= SHOWN + 1 else lines[:SHOWN]
        place = min(_PLACE, max(width_of(visible(line.place)) for line in few))
        scope = min(_SCOPE, max(width_of(visible(line.scope)) for line in few))
        if indent + place + scope + 4 + _LEAST > self.screen.width:
            scope = 0
        for line in few:
            yield from self._evidence_line(line, indent, place, scope)
        hidden = sum(line.places for line in lines[len(few) :])
        if hidden:
            yield self.screen.style(f"{' ' * indent}… and {counted(hidden, 'more place')} (-v shows all)", "dim")

    def _evidence_line(self, line: Line, indent: int, place: int, scope: int) -> Iterator[str]:
        more = f" (+{line.places - 1} more)" if line.places > 1 else ""
        mark = self.screen.style(f" [{line.origin}]", "cyan") if line.origin else ""
        why = visible(line.why) + mark + self.screen.style(more, "dim")
        where, what = visible(line.place), visible(line.scope)
        if width_of(where) <= place and 0 < width_of(what) <= scope:
            yield from self._hanging(f"{pad(where, place)}  {pad(what, scope)}", why, indent, place + scope + 2)
        else:
            yield from self._hanging(pad(where, place), f"{what}  {why}", indent, place)
        if self.verbose and line.path:
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

    # ── what is left ──

    def _unread(self, report: Report) -> Iterator[str]:
        """How many sentences nobody checked; -v lists them."""
        unread = report.found.unread
        if not unread:
            return
        yield ""
        yield from self._title("·", unread_words(len(unread)) + ("" if self.verbose else "; -v lists them"), "bold")
        if self.verbose:
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
        if report.verdict is Verdict.CONTAINED or self.verbose:
            yield from self._residuals(report)
        if not report.assumed:
            return
        yield ""
        if self.verbose:
            yield from self._title("·", "it rests on", "bold")
            for assumed in report.assumed:
                layer = self.screen.style(f" [{visible(assumed.layer)}]", "dim")
                yield from self.screen.wrap(f"{visible(assumed.ident)}: {visible(assumed.meaning)}{layer}", 4, 2)
            return
        own = [visible(item.ident) for item in report.assumed if item.when != "always"]
        every = len(report.assumed) - len(own)
        parts = (
            [*own, f"what every result rests on ({every} more)"] if own else [f"what every result rests on ({every})"]
        )
        lines = self.screen.wrap(f"rests on {', '.join(parts)}; see `remit explain assumptions`", 2, 0)
        yield from (self.screen.style(line, "dim") for line in lines)

    def _residuals(self, report: Report) -> Iterator[str]:
        found = [item for item in report.containment.residuals if item.kind != "assumption"]
        if not found:
            return
        yield ""
        yield from self._title("·", "this holds if, at run time,", "bold")
        masks = [item for item in found if item.kind == "mask"]
        if masks and not self.verbose:
            names = ", ".join(item.subject for item in masks)
            text = f"places of {names} inside broader scopes are masked"
            yield from self._residual(text, masks[0].layer)
            found = [item for item in found if item.kind != "mask"]
        for item in found:
            where = f" ({item.where})" if item.where and self.verbose else ""
            yield from self._residual(f"{item.meaning}{where}", item.layer)

    def _residual(self, text: str, layer: str) -> Iterator[str]:
        yield from self.screen.wrap(f"{visible(text)}{self.screen.style(f' [{visible(layer)}]', 'dim')}", 4, 2)

    def _title(self, mark: str, text: str, style: str) -> Iterator[str]:
        yield from (self.screen.style(line, style) for line in self.screen.wrap(f"{mark} {text}".lstrip(), 2, 0))

    # ── all skills ──

    def summary(self) -> Iterator[str]:
        """The last lines of a run over several skills."""
        total = sum(self.counts.values())
        parts = [f"{self.counts[verdict]} {verdict}" for verdict in Verdict if self.counts[verdict]]
        text = f"{counted(total, 'skill')}: {', '.join(parts)}"
        if self.with_opaque:
            text += f"; {self.with_opaque} with opaque places"
        if self.failed:
            text += f"; {self.failed} not read to the end"
        yield self.screen.style(text, "bold")
