"""What a person sees of a draft: each entry with its reason, what to look at, and how the skill stands to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.manifest.model import Decision
from remit.proof import Verdict
from remit.report.screen import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.manifest.draft.update import Updated
    from remit.manifest.model import Permission
    from remit.report.model import Report
    from remit.report.screen import Screen

_COLOURS = {Decision.ALLOW: "green", Decision.CONFIRM: "yellow", Decision.DENY: "red"}
_FEW = 3  # scopes of an entry that are shown
_VERDICTS = {
    Verdict.CONTAINED: ("green", "the skill stays inside this draft"),
    Verdict.OPAQUE: ("yellow", "the skill stays inside this draft as far as it is understood"),
    Verdict.ESCAPES: ("bad", "the skill does more than this manifest grants"),
}


class DraftReport:
    """Lines of text for one draft."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet

    def lines(
        self, report: Report, path: str, warnings: Iterable[tuple[str, int, str, str]], updated: Updated | None = None
    ) -> Iterator[str]:
        """The report."""
        style = self.screen.style
        manifest = report.manifest
        assert manifest is not None
        listed = list(warnings)
        count = len(manifest.permissions)
        word = "updated" if updated else "drafted"
        yield f"{style(visible(report.found.skill), 'bold')}  {word}: {count} {'entry' if count == 1 else 'entries'}  {style(visible(path), 'dim')}"
        if not self.quiet:
            yield from self._entries(manifest.permissions)
            if updated:
                yield from self._changes(updated)
        for file, line, reason, words in listed:
            yield f"  {style('look at', 'bad')} {visible(file)}:{line}  {reason}; it is denied"
            yield f"          {style(visible(words), 'dim')}"
        if not self.quiet:
            yield from self._verdict(report)
            yield ""

    def _entries(self, entries: Iterable[Permission]) -> Iterator[str]:
        rows = [self._row(entry) for entry in entries]
        wide = max((len(row[1]) for row in rows), default=0)
        place = min(34, max((len(row[2]) for row in rows), default=0))
        for decision, capability, scope, why in rows:
            word = self.screen.style(f"{decision:8}", _COLOURS[decision])
            yield f"  {word} {capability:{wide}}  {scope:{place}}  {self.screen.style(why, 'dim')}".rstrip()

    def _row(self, entry: Permission) -> tuple[Decision, str, str, str]:
        shown = [scope.render() for scope in entry.scopes[: None if self.verbose else _FEW]]
        more = len(entry.scopes) - len(shown)
        scope = ", ".join(shown) + (f" (+{more})" if more else "")
        why = ""
        if entry.evidence:
            first = entry.evidence[0]
            room = max(20, self.screen.width - 60)
            text = first.text if self.verbose or len(first.text) <= room else first.text[: room - 1] + "…"
            why = f"{first.file}:{first.line}  {text}"
        return entry.decision(_first(entry)), entry.capability, visible(scope), visible(why)

    def _changes(self, updated: Updated) -> Iterator[str]:
        for entries, what in (
            (updated.kept, "kept as it was edited"),
            (updated.added, "added"),
            (updated.dropped, "dropped: the skill does not need it any more"),
            (updated.withheld, "not brought back: it was removed or changed by hand"),
        ):
            for entry in entries:
                yield f"  {what}: {entry.capability} {visible(entry.place)}"

    def _verdict(self, report: Report) -> Iterator[str]:
        colour, words = _VERDICTS[report.verdict]
        opaque = len(report.found.opaque)
        if report.verdict is Verdict.OPAQUE:
            words += f"; {opaque} {'place is' if opaque == 1 else 'places are'} not (`remit check` says which)"
        yield f"  {self.screen.style(words, colour)}"


def _first(entry: Permission) -> str:
    from remit.core.capability import vocabulary  # noqa: PLC0415

    return vocabulary().expand(entry.capability)[0]
