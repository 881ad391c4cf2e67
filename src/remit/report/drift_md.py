"""Differences as Markdown, for a comment on a pull request.

Everything that a skill's author wrote is in code (`markdown.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.manifest.drift.model import Change, TraitKind
from remit.manifest.drift.ranks import ranks
from remit.report.drift_words import Compared, changed_files, changed_sentences, gone, lifted, verdict_line
from remit.report.markdown import TICKS, cell, code
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.checker.report import Failure

CHANGE_MARKS = {"gains": "❌", "new": "🆕", "missing": "❔", "changed": "✅", "same": "✅"}
_ROWS = 50  # rows of one table; a comment has a limit


def drift_md(items: Sequence[Compared], failures: Sequence[tuple[str, Failure]] = ()) -> Iterator[str]:
    """Return the lines of the comment."""
    gaining = sum(bool(item.drift.gains) for item in items)
    yield f"## Remit: {counted(gaining, 'skill')} can do more" if gaining else "## Remit: no skill can do more"
    for path, failure in failures:
        yield ""
        yield f"⚠️ {code(path)} could not be compared: {code(failure.message)}"
    for item in items:
        if not item.drift.empty:
            yield ""
            yield from _skill(item)
    same = sum(item.drift.empty for item in items)
    if same:
        yield ""
        yield f"{counted(same, 'skill')} as before."


def _skill(item: Compared) -> Iterator[str]:
    yield f"### {CHANGE_MARKS[item.verdict]} {code(item.name)}"
    yield ""
    yield code(verdict_line(item))
    yield from changes_md(item)


def changes_md(item: Compared) -> Iterator[str]:
    """Return everything that changed in one skill, in tables; what is no gain is folded."""
    gains = set(item.drift.gains)
    other = [change for change in item.drift.added if change not in gains and _listed(change)]
    yield from _table([*item.drift.gains], "gains", opened=True)
    yield from _table(other, "also changed", opened=True)
    yield from _table(gone(item.drift), "no longer", opened=False)
    if item.old is not None and item.new is not None:
        yield from _instructions(item)
    files = changed_files(item.drift)
    if files:
        yield from _folded(f"files ({len(files)})")
        yield from [f"- {code(path)} {code(how)}" for path, how in list(files.items())[:_ROWS]]
        yield from ["", "</details>"]


def _listed(change: Change) -> bool:
    return change.trait.sort not in (TraitKind.INSTRUCTION, TraitKind.FILE)


def _table(changes: Sequence[Change], title: str, *, opened: bool) -> Iterator[str]:
    if not changes:
        return
    if opened:
        yield ""
    else:
        yield from _folded(f"{title} ({len(changes)})")
    yield f"| {title} | what | where | why |"
    yield "|---|---|---|---|"
    for change in changes[:_ROWS]:
        trait = change.trait
        free = lifted(change) and title == "gains"
        kind = "no longer denied" if free else ranks()[change.rank].title
        what = f"{trait.subject} {trait.scope}".strip() or "(only its digest is known)"
        relation = f"{'narrowed to' if title == 'no longer' else 'before:'} {', '.join(change.before[:4])}"
        why = "; ".join(
            filter(
                None, (relation if change.before and not change.note else "", "" if free else change.note, trait.why)
            )
        )
        yield f"| {kind} | {cell(what)} | {cell(str(trait.where))} | {cell(why)} |"
    if len(changes) > _ROWS:
        yield f"| … | {len(changes) - _ROWS} more | | |"
    if not opened:
        yield from ["", "</details>"]


def _instructions(item: Compared) -> Iterator[str]:
    sentences = changed_sentences(item.drift)
    if not sentences:
        return
    lines: list[str] = []
    for one in sentences[:_ROWS]:
        lines.append(f"@@ {visible(one.file)}:{one.line} @@")
        lines += [f"{sign} {visible(text)}" for sign, text in (("-", one.old), ("+", one.new)) if text]
        lines += [f"- {counted(one.lost, 'sentence')} (the lock file has only digests)"] if one.lost else []
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in TICKS.findall(line)), default=0))
    yield from _folded(f"instructions ({counted(len(sentences), 'change')})")
    yield f"{fence}diff"
    yield from lines
    yield fence
    yield from ["", "</details>"]


def _folded(title: str) -> Iterator[str]:
    yield from ["", f"<details><summary>{title}</summary>", ""]
