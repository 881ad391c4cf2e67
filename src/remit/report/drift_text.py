"""Differences as text: the verdict first, then gains, the worst first, then losses, then texts and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from remit.core.capability import Level, vocabulary
from remit.core.counting import counted
from remit.manifest.drift.model import Change, TraitKind
from remit.manifest.drift.ranks import ranks
from remit.report.drift_words import (
    Compared,
    Sentence,
    changed_files,
    changed_sentences,
    gone,
    lifted,
    verdict_line,
    word_diff,
)
from remit.report.screen import Screen, visible

_STYLES = {"gains": "bad", "new": "yellow", "missing": "yellow", "changed": "green", "same": "green"}
_MARKS = {"gains": "✗", "new": "✗", "missing": "✗", "changed": "✓", "same": "✓"}
_LEVELS = {Level.SYSTEM: "red", Level.DANGEROUS: "yellow", Level.REDACT: "red", Level.NORMAL: "green"}
_FEW = 12  # changes under one title, unless all are requested
_LONG = 400  # characters of a sentence
_SHOWN_APART = (TraitKind.INSTRUCTION, TraitKind.FILE)


class DriftText:
    """Renders differences for one screen."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet
        self.counts = dict.fromkeys(_STYLES, 0)

    def skill(self, compared: Compared) -> Iterator[str]:
        """Return the lines for one skill."""
        self.counts[compared.verdict] += 1
        yield from self._header(compared)
        if self.quiet or compared.drift.empty:
            return
        gained = set(compared.drift.gains)
        yield from self._section("+", [change for change in compared.drift.added if change in gained])
        yield from self._lifted([change for change in compared.drift.removed if lifted(change)])
        other = [change for change in compared.drift.added if change not in gained]
        yield from self._section("~", [change for change in other if change.trait.sort not in _SHOWN_APART])
        yield from self._section("-", gone(compared.drift))
        if compared.old is not None and compared.new is not None:
            yield from self._instructions(changed_sentences(compared.drift))
        yield from self._files(changed_files(compared.drift))
        yield ""

    def line(self, compared: Compared) -> Iterator[str]:
        """Return the verdict alone, with the files that changed."""
        self.counts[compared.verdict] += 1
        files = changed_files(compared.drift) if compared.verdict in ("gains", "changed") else {}
        few = [f"{path} {how}" for path, how in list(files.items())[:3]]
        more = [f"{len(files) - 3} more"] if len(files) > 3 else []
        yield from self._verdict(compared, f"{', '.join(few + more)}; " if files else "")

    def _verdict(self, compared: Compared, before: str = "") -> Iterator[str]:
        style = self.screen.style
        mark = style(_MARKS[compared.verdict], _STYLES[compared.verdict])
        words = style(visible(verdict_line(compared)), _STYLES[compared.verdict])
        name = style(visible(compared.name), "bold")
        yield from self.screen.wrap(f"{mark} {name}  {visible(before)}{words}", 2, 0)

    def _header(self, compared: Compared) -> Iterator[str]:
        style = self.screen.style
        yield from self._verdict(compared)
        if self.quiet or compared.drift.empty:
            return
        sides = [visible(side) for side in (compared.old, compared.new) if side is not None]
        before = compared.drift.old.name
        renamed = f" · it was called {visible(before)}" if before and before != compared.name else ""
        yield from (style(line, "dim") for line in self.screen.wrap(" → ".join(sides) + renamed, 2, 0))

    def _title(self, text: str, style: str) -> Iterator[str]:
        yield ""
        yield self.screen.style(text, style)

    def _section(self, sign: str, changes: Sequence[Change]) -> Iterator[str]:
        groups: dict[int, list[Change]] = {}
        for change in changes:
            groups.setdefault(change.rank, []).append(change)
        for rank, found in groups.items():
            title = ranks()[rank].title
            style = {"+": "bad", "~": "bold", "-": "dim"}[sign]
            yield from self._title(f"{sign} {f'no longer: {title}' if sign == '-' else title}", style)
            few = found if self.verbose or len(found) <= _FEW + 1 else found[:_FEW]
            for change in few:
                yield from self._change(change, removed=sign == "-")
            if len(few) < len(found):
                yield self.screen.style(f"  … and {len(found) - len(few)} more (-v shows all)", "dim")

    def _lifted(self, changes: Sequence[Change]) -> Iterator[str]:
        if not changes:
            return
        yield from self._title("+ no longer denied by its manifest", "bad")
        for change in changes:
            yield from self._change(change._replace(note=""), removed=True)

    def _change(self, change: Change, *, removed: bool) -> Iterator[str]:
        trait = change.trait
        where = self.screen.style(visible(str(trait.where)), "dim")
        yield from self.screen.wrap(f"{self._subject(change)}  {where}", 6, 2)
        why = [visible(text) for text in (self._relation(change, removed=removed), change.note, trait.why) if text]
        if why:
            yield from self.screen.wrap("; ".join(why), 6)
        if self.verbose and trait.path:
            calls = " → ".join(map(str, trait.path))
            yield from self.screen.wrap(self.screen.style(f"called from {visible(calls)}", "dim"), 6)

    def _subject(self, change: Change) -> str:
        trait = change.trait
        subject = visible(trait.subject)
        if trait.sort is TraitKind.CAPABILITY:
            subject = self.screen.style(subject, _LEVELS[vocabulary()[trait.subject].level])
            origin = "" if trait.origin == "script" else self.screen.style(f" [{trait.origin}]", "cyan")
            return f"{subject} {visible(trait.scope)}{origin}"
        if trait.sort is TraitKind.HIDDEN and not subject:
            return "(the lock file has only its digest)"
        if len(subject) > _LONG and not self.verbose:
            subject = f"{subject[:_LONG]}…"
        return f"{subject} {visible(trait.scope)}".rstrip()

    @staticmethod
    def _relation(change: Change, *, removed: bool) -> str:
        if not change.before or change.note or lifted(change):
            return ""
        few = ", ".join(change.before[:4]) + (" …" if len(change.before) > 4 else "")
        if change.trait.sort is TraitKind.CAPABILITY:
            return f"narrowed to {few}" if removed else f"widened from {few}"
        return f"now {few}" if removed else f"before: {few}"

    def _instructions(self, sentences: Sequence[Sentence]) -> Iterator[str]:
        if not sentences:
            return
        yield from self._title(f"~ instructions ({counted(len(sentences), 'change')})", "bold")
        few = sentences if self.verbose or len(sentences) <= _FEW + 1 else sentences[:_FEW]
        for sentence in few:
            yield from self._sentence(sentence)
        if len(few) < len(sentences):
            yield self.screen.style(f"  … and {len(sentences) - len(few)} more (-v shows all)", "dim")

    def _sentence(self, sentence: Sentence) -> Iterator[str]:
        if sentence.lost:
            text = f"{counted(sentence.lost, 'sentence')} gone; the lock file has only digests"
            yield from self.screen.wrap(f"{visible(sentence.file)}  {self.screen.style(text, 'dim')}", 6, 2)
            return
        pieces = [
            self._piece(sign, visible(text))
            for sign, text in word_diff(sentence.old[: _LONG * 5], sentence.new[: _LONG * 5])
        ]
        where = self.screen.style(f"{visible(sentence.file)}:{sentence.line}", "dim")
        yield f"  {where}"
        yield from self.screen.wrap("".join(pieces), 6)

    def _piece(self, sign: str, text: str) -> str:
        if sign == "-":
            return self.screen.style(f"[-{text}-]", "red")
        return self.screen.style(f"{{+{text}+}}", "green") if sign == "+" else text

    def _files(self, files: dict[str, str]) -> Iterator[str]:
        if not files:
            return
        yield from self._title(f"~ files ({len(files)})", "bold")
        few = list(files) if self.verbose or len(files) <= _FEW + 1 else list(files)[:_FEW]
        for path in few:
            yield from self.screen.wrap(f"{visible(path)}  {visible(files[path])}", 6, 2)
        if len(few) < len(files):
            yield self.screen.style(f"  … and {len(files) - len(few)} more (-v shows all)", "dim")

    def summary(self) -> Iterator[str]:
        """Return the last line of a run over several skills."""
        words = {
            "gains": "can do more",
            "new": "new",
            "missing": "missing",
            "changed": "changed, no gain",
            "same": "as before",
        }
        parts = [f"{number} {words[verdict]}" for verdict, number in self.counts.items() if number]
        yield self.screen.style(f"{counted(sum(self.counts.values()), 'skill')}: {', '.join(parts)}", "bold")
