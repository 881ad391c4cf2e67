"""A draft as text: each entry with its reason, what to review, and how the skill compares with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.manifest.model import SHOWN, Decision, Permission
from remit.proof import Verdict
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.manifest.draft.update import Updated

_COLOURS = {Decision.ALLOW: "green", Decision.CONFIRM: "yellow", Decision.DENY: "red"}
_FEW = 3  # scopes of an entry that are shown
_INDENT = 11  # columns before the evidence of an entry
_VERDICTS = {
    Verdict.CONTAINED: ("green", "the skill stays inside this draft"),
    Verdict.OPAQUE: ("yellow", "the skill stays inside this draft as far as it is understood"),
    Verdict.ESCAPES: ("bad", "the skill does more than this manifest grants"),
}


class DraftReport:
    """Renders one draft."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet

    def lines(
        self, report: Report, path: str, warnings: Iterable[tuple[str, int, str, str]], updated: Updated | None = None
    ) -> Iterator[str]:
        """Return the lines."""
        style = self.screen.style
        manifest = report.manifest
        assert manifest is not None
        listed = list(warnings)
        word = "updated" if updated else "drafted"
        yield f"{style(visible(report.found.skill), 'bold')}  {word}: {counted(len(manifest.permissions), 'entry', 'entries')}  {style(visible(path), 'dim')}"
        if not self.quiet:
            yield from self._entries(manifest.permissions)
            yield from self._left_out(manifest.permissions)
            if updated:
                yield from self._changes(updated)
        for file, line, reason, words in listed:
            yield f"  {style('look at', 'bad')} {visible(file)}:{line}  {reason}; it is denied"
            yield f"          {style(visible(words), 'dim')}"
        if not self.quiet:
            yield from self._verdict(report)

    def _entries(self, entries: Iterable[Permission]) -> Iterator[str]:
        listed = list(entries)
        wide = max((len(entry.capability) for entry in listed), default=0)
        for entry in listed:
            decision = entry.decision(vocabulary().expand(entry.capability)[0])
            word = self.screen.style(f"{decision:8}", _COLOURS[decision])
            indent = _INDENT + wide + 2
            scopes = self.screen.wrap(visible(self._scopes(entry)), indent)
            yield f"  {word} {entry.capability:{wide}}  {scopes[0].lstrip()}"
            yield from scopes[1:]
            for evidence in entry.evidence[: None if self.verbose else 1]:
                yield self.screen.style(self._fitted(f"{evidence.file}:{evidence.line}  {evidence.text}"), "dim")

    def _left_out(self, entries: Iterable[Permission]) -> Iterator[str]:
        """Return how many entries deny what only samples need."""
        shown = sum(entry.effect is Decision.DENY and entry.fallback_msg == SHOWN for entry in entries)
        if shown:
            words = "only samples, loose scripts or unlikely options need them; change `deny` if the skill does"
            yield self.screen.style(f"  left out: {counted(shown, 'entry', 'entries')}; {words}", "dim")

    def _scopes(self, entry: Permission) -> str:
        shown = [scope.render() for scope in entry.scopes[: None if self.verbose else _FEW]]
        more = len(entry.scopes) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    def _fitted(self, text: str) -> str:
        """Return a line of evidence; cut at the width of the screen unless everything is requested."""
        room = self.screen.width - _INDENT
        shown = visible(text)
        return " " * _INDENT + (shown if self.verbose or len(shown) <= room else shown[: room - 1] + "…")

    def _changes(self, updated: Updated) -> Iterator[str]:
        for entries, what in (
            (updated.kept, "kept as it was edited"),
            (updated.added, "added"),
            (updated.dropped, "dropped: the skill no longer needs it"),
            (updated.withheld, "not brought back: it was removed or changed by hand"),
        ):
            for entry in entries:
                yield f"  {what}: {entry.capability} {visible(entry.place)}"

    def _verdict(self, report: Report) -> Iterator[str]:
        colour, words = _VERDICTS[report.verdict]
        opaque = len(report.found.opaque)
        if report.verdict is Verdict.OPAQUE:
            words += f"; {counted(opaque, 'place is', 'places are')} not (`remit check` says which)"
        yield f"  {self.screen.style(words, colour)}"
