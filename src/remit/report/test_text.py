"""The report of `remit test`: whether the level is reached, what prevents it and what to do, what was observed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from remit.capsule.cases import By
from remit.capsule.run import Ending
from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Effect
from remit.core.location import Location
from remit.core.scope import parse_scope
from remit.core.via import recorded
from remit.policy.entry_matches import granted_as
from remit.proof import remedy_for
from remit.report.screen import Screen, visible
from remit.report.wording import pad, rank

if TYPE_CHECKING:
    from remit.capsule.verdict import Finding, Run, TestRecord
    from remit.manifest.model import Manifest

_SAID = 8  # lines of the output of a command that failed
_WIDTH = 18  # columns of a capability
_OUTCOMES = {"done": "", "refused": "refused by the sandbox", "absent": "looked for, not there"}
_UNTESTED = "add a test that does it, or take it out of the manifest"


class TestReport:
    """Renders the report of one test."""

    def __init__(self, screen: Screen, *, verbose: bool = False, quiet: bool = False) -> None:
        self.screen = screen
        self.verbose = verbose
        self.quiet = quiet

    def lines(self, record: TestRecord, manifest: Manifest, outputs: Sequence[str]) -> Iterator[str]:
        """Return the report; `outputs` is the output of each command."""
        yield from self._header(record)
        if self.quiet:
            return
        yield from self._commands(record, outputs)
        yield from self._outside(record, manifest)
        yield from self._denied(record)
        yield from self._untested(record)
        yield from self._observed(record)
        yield ""

    def _header(self, record: TestRecord) -> Iterator[str]:
        style = self.screen.style
        mark, words, colour = ("✓", "tested", "green") if record.level_reached else ("✗", "not tested", "bad")
        unseen = sum(bool(why) for _, _, why in record.untested)
        shown = f"{counted(len(record.exercised), 'entry', 'entries')} exercised"
        why = ", ".join(_reasons(record)) or (f"{shown}, {unseen} that no test can show" if unseen else shown)
        name = f"{style(mark, colour)} {style(visible(record.skill), 'bold')}"
        yield from self.screen.wrap(f"{name}  {style(words, colour)}  {why}", 2, 0)

    def _title(self, text: str, *styles: str) -> Iterator[str]:
        yield ""
        yield self.screen.style(text, *styles)

    def _commands(self, record: TestRecord, outputs: Sequence[str]) -> Iterator[str]:
        yield from self._title("commands", "bold")
        for run, output in zip(record.runs, outputs, strict=True):
            mark = self.screen.style(*(("✓", "green") if run.passed else ("✗", "bad")))
            words = visible(shlex.join(run.command))
            words += " (in the agent's place)" if run.by is By.AGENT else ""
            yield from self.screen.wrap(f"{mark} {words}  {self.screen.style(_ended(run), 'dim')}", 4, 2)
            for problem in run.problems:
                yield from self.screen.wrap(f"not all was seen: {visible(problem)}", 6, 4)
            for what in run.unlike:
                yield from self.screen.wrap(f"unlike its case: {visible(what)}", 6, 4)
            said = output.splitlines()
            for line in said if self.verbose else said[-_SAID:] if not run.passed else ():
                yield self.screen.style(f"    │ {visible(line)}", "dim")

    def _outside(self, record: TestRecord, manifest: Manifest) -> Iterator[str]:
        if not record.outside:
            return
        yield from self._title(f"✗ outside of {visible(manifest.file)}", "bad")
        groups: dict[str, list[Finding]] = {}
        for item in sorted(record.outside, key=lambda found: rank(found.capability)):
            groups.setdefault(item.capability, []).append(item)
        for items in groups.values():
            for item in items:
                yield from self._finding(item, self._commands_of(item, record))
            effects = [_effect(item) for item in items]
            granting = [entry for entry in manifest.permissions if entry.effect != "deny"]
            declared = any(granted_as(entry, effect) for entry in granting for effect in effects)
            yield from self._remedy(remedy_for(effects, declared=declared))

    def _denied(self, record: TestRecord) -> Iterator[str]:
        if record.denied:
            yield from self._title("denied by the manifest, and tried: a guard refuses it", "yellow")
            for item in record.denied:
                yield from self._finding(item, self._commands_of(item, record))

    def _untested(self, record: TestRecord) -> Iterator[str]:
        for unseen, title in ((False, "✗ not tested"), (True, "no test can show")):
            items = [item for item in record.untested if bool(item[2]) is unseen]
            if items:
                yield from self._title(title, *(() if unseen else ("bad",)))
            for capability, scope, why in items:
                yield from self._row(capability, scope, why or "nothing that the tests do exercises it")
            if items and not unseen:
                yield from self._remedy(_UNTESTED)

    def _observed(self, record: TestRecord) -> Iterator[str]:
        if not record.observed:
            yield from self._title("no observed effect needs an entry")
            return
        yield from self._title("observed", "bold")
        items = sorted(record.observed, key=lambda found: rank(found.capability))
        shown = items if self.verbose else items[:20]
        for item in shown:
            yield from self._finding(item, _OUTCOMES[item.outcome])
        if len(shown) < len(items):
            yield self.screen.style(f"  … and {len(items) - len(shown)} more (-v shows all)", "dim")
        if record.loaded:
            count = counted(len(record.loaded), "file or folder", "files and folders")
            listed = f": {', '.join(map(visible, record.loaded))}" if self.verbose else ""
            yield from self.screen.wrap(f"code of the skill that was loaded: {count}{listed}", 4, 2)

    def _commands_of(self, item: Finding, record: TestRecord) -> str:
        names = ", ".join(shlex.join(record.runs[number].command) for number in item.commands)
        outcome = _OUTCOMES[item.outcome]
        return f"by `{names}`{f', {outcome}' if outcome else ''}"

    def _finding(self, item: Finding, words: str) -> Iterator[str]:
        yield from self._row(item.capability, item.scope, words)

    def _row(self, capability: str, scope: str, words: str) -> Iterator[str]:
        said = self.screen.style(visible(words), "dim") if words else ""
        yield from self.screen.wrap(f"{pad(capability, _WIDTH)}{visible(scope)}  {said}".rstrip(), 6, 2)

    def _remedy(self, text: str) -> Iterator[str]:
        yield from (self.screen.style(line, "cyan") for line in self.screen.wrap(f"→ {visible(text)}", 6, 4))


def _reasons(record: TestRecord) -> Iterable[str]:
    failed = sum(not run.passed for run in record.runs)
    if failed:
        yield f"{failed} of {counted(len(record.runs), 'command')} failed"
    if record.outside:
        yield f"{len(record.outside)} outside of the manifest"
    if short := [item for item in record.untested if not item[2]]:
        yield f"{counted(len(short), 'entry', 'entries')} not exercised"


def _ended(run: Run) -> str:
    how = f"exit status {run.code}" if run.how is Ending.EXITED else f"ended: {run.how}"
    how += f", not {run.expected}" if run.how is Ending.EXITED and run.code != run.expected and run.expected else ""
    return f"{how}, {run.source}" if run.code != 0 or run.how is not Ending.EXITED else str(run.source)


def _effect(item: Finding) -> Effect:
    scope = parse_scope(vocabulary()[item.capability].scope_kind, item.scope)
    return Effect(item.capability, scope, Location("."), recorded("observed"))
