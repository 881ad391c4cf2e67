"""Reports as Markdown, for the summary of a run or a comment on a pull request: problems are open, what a skill can do
is folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.core.effect import Effect, Origin
from remit.findings.model import Level
from remit.report.drift_md import CHANGE_MARKS, changes_md
from remit.report.drift_words import Compared, verdict_line
from remit.report.first_screen import RowKind, ScreenRow, answer_of, badness, first_screen, hints
from remit.report.markdown import cell, code
from remit.report.wording import rank, unread_words

if TYPE_CHECKING:
    from remit.checker.report import Report

_MARKS = {"failed": "⚠️", Level.BLOCK: "⛔", Level.REVIEW: "🔎", "outside": "❌", Level.CLEAR: "✅"}
_ITEMS = 8  # characters of a sentence
_WHO = {
    Origin.SCRIPT: "a script",
    Origin.INSTRUCTED: "the agent, as the text says",
    Origin.HOOK: "a hook, without being asked",
}
_ROWS = 50  # rows of one table; a comment has a limit


def as_md(
    reports: Sequence[Report],
    status: int,
    compared: Mapping[str, Compared] | None = None,
    missing: Sequence[Compared] = (),
) -> Iterator[str]:
    """Return the lines, the worst skill first; `compared` is what changed in each, by its folder, and `missing` are
    those that are gone.
    """
    wrong = sum(_to_look_at(report, (compared or {}).get(report.found.path)) for report in reports)
    said = (
        f"{counted(wrong, 'skill')} of {len(reports)} to look at"
        if wrong
        else f"{counted(len(reports), 'skill')}, nothing to look at"
    )
    yield f"## Remit: {said}"
    if status:
        yield ""
        yield f"The check failed (exit status {status})."
    if any(one.ident == "project-summaries" for report in reports for one in report.assumed):
        yield ""
        yield "⚠️ Summary files of the project are used here: their descriptions of libraries and commands are trusted."
    if compared is not None:
        yield from _changed([*compared.values(), *missing])
    for report in sorted(reports, key=badness):
        yield ""
        yield from _skill(report, compared.get(report.found.path) if compared else None)


def _to_look_at(report: Report, compared: Compared | None) -> bool:
    if answer_of(report).name != Level.CLEAR:
        return True
    return compared is not None and bool(compared.drift.gains)


def _changed(items: Sequence[Compared]) -> Iterator[str]:
    """Return the change in one table: what each changed skill can do more."""
    differing = [item for item in items if item.verdict != "same"]
    gaining = sum(bool(item.drift.gains) for item in items)
    yield ""
    yield (
        f"**{counted(gaining, 'skill')} can do more than before.**"
        if gaining
        else "**No skill can do more than before.**"
    )
    yield from _table(
        ("changed skill", "what the change means"),
        [(f"{CHANGE_MARKS[item.verdict]} {cell(item.name)}", cell(verdict_line(item))) for item in differing],
    )


def _skill(report: Report, compared: Compared | None) -> Iterator[str]:
    yield f"### {_mark(report)} {code(report.found.skill)}: {_headline(report)}"
    if report.failure and not report.found.effects:
        yield ""
        yield f"{code(report.failure.message)} {code(report.failure.remedy)}".rstrip()
        return
    yield ""
    for row in first_screen(report, len(report.concerns)):
        if row.kind is RowKind.FINDING:
            yield f"- **{row.severity}**: {code(row.text)} {code(row.way)}{row.end}".rstrip()
        else:
            yield f"- {_sentence(row)}"
    if compared and compared.verdict in ("gains", "changed"):
        yield from changes_md(compared)
    yield from _table(
        ("outside of the manifest", "where", "why", "to do"),
        [
            tuple(
                map(
                    cell,
                    (
                        f"{one.effect.capability} {one.effect.scope.render()}",
                        str(one.effect.where),
                        one.reason,
                        one.remedy,
                    ),
                )
            )
            for one in report.containment.escapes
        ],
    )
    if opaque := report.found.opaque:
        yield from ["", f"<details><summary>not understood ({counted(len(opaque), 'location')})</summary>"]
        yield from _table(
            ("not understood", "where", "to do"),
            [tuple(map(cell, (one.reason, str(one.where), one.remedy))) for one in opaque],
        )
        yield from ["", "</details>"]
    if unread := report.found.unread:
        yield from ["", f"<details><summary>{unread_words(len(unread))}</summary>"]
        yield from _table(("sentence", "where"), [(cell(one.text), cell(str(one.where))) for one in unread])
        yield from ["", "</details>"]
    effects = report.found.effects
    if effects:
        found = list(
            dict.fromkeys(_effect(one) for one in sorted(effects, key=lambda one: (rank(one.capability), one.where)))
        )
        yield from ["", f"<details><summary>what it can do ({counted(len(found), 'effect')})</summary>"]
        yield from _table(("capability", "scope", "by", "where"), found)
        yield from ["", "</details>"]


def _mark(report: Report) -> str:
    return _MARKS[answer_of(report).name]


def _headline(report: Report) -> str:
    """Return the headline in our own words: text from the skill is in code."""
    return "cannot be read" if report.failure and not report.found.effects else report.headline


def _sentence(row: ScreenRow) -> str:
    """Return a row, with text from the skill in code."""
    if row.kind is RowKind.HINT:
        return ", ".join(f"{label}: {code(command)}" for label, command in hints(row))
    if row.kind in (RowKind.GUARANTEES, RowKind.CONDITIONAL):
        return f"{row.text}{', '.join(row.items)}{code(row.end) if row.end else ''}"
    if not row.items:
        return code(row.text) if row.kind is RowKind.MANIFEST else row.text
    few = [code(item) for item in row.items[:_ITEMS]]
    more = f" and {len(row.items) - _ITEMS} more" if len(row.items) > _ITEMS else ""
    return f"{row.text}{', '.join(few)}{more}{row.end}"


def _effect(effect: Effect) -> tuple[str, ...]:
    return (cell(effect.capability), cell(effect.scope.render()), _WHO[effect.origin], cell(str(effect.where)))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if not rows:
        return
    yield from ["", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows[:_ROWS]:
        yield f"| {' | '.join(row)} |"
    if len(rows) > _ROWS:
        yield f"| … {len(rows) - _ROWS} more |{' |' * (len(head) - 1)}"
