"""Reports as Markdown, for the summary of a run or a comment on a pull request: what is wrong is open, what a skill can do is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.proof import Verdict
from remit.report.markdown import cell, code
from remit.report.wording import counted, rank, verdict_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.core.effect import Effect
    from remit.report.model import Report

_MARKS = {Verdict.CONTAINED: "✅", Verdict.ESCAPES: "❌", Verdict.OPAQUE: "❔", Verdict.UNDECLARED: "🆕"}
_WHO = {
    Origin.SCRIPT: "a script",
    Origin.INSTRUCTED: "the agent, as the text says",
    Origin.HOOK: "a hook, without being asked",
}
_ROWS = 50  # of one table; a comment has a limit


def as_md(reports: Sequence[Report], status: int) -> Iterator[str]:
    """The lines."""
    wrong = sum(bool(report.failure or report.containment.escapes or report.found.opaque) for report in reports)
    said = (
        f"{counted(wrong, 'skill')} of {len(reports)} to look at"
        if wrong
        else f"{counted(len(reports), 'skill')}, nothing to look at"
    )
    yield f"## Remit: {said}"
    if status:
        yield ""
        yield f"The check failed (exit status {status})."
    for report in reports:
        yield ""
        yield from _skill(report)


def _skill(report: Report) -> Iterator[str]:
    mark = "⚠️" if report.failure else _MARKS[report.verdict]
    yield f"### {mark} {code(report.found.skill)}: {verdict_words(report)}"
    if report.failure:
        yield ""
        yield f"{code(report.failure.message)} {code(report.failure.remedy)}".rstrip()
        return
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
    yield from _table(
        ("not understood", "where", "to do"),
        [tuple(map(cell, (one.reason, str(one.where), one.remedy))) for one in report.found.opaque],
    )
    effects = report.found.effects
    if effects:
        found = [_effect(one) for one in sorted(effects, key=lambda one: (rank(one.capability), one.where))]
        yield from ["", f"<details><summary>what it can do ({counted(len(found), 'place')})</summary>"]
        yield from _table(("capability", "level", "scope", "by", "where"), found)
        yield from ["", "</details>"]


def _effect(effect: Effect) -> tuple[str, ...]:
    level = vocabulary()[effect.capability].level
    return (
        cell(effect.capability),
        str(level),
        cell(effect.scope.render()),
        _WHO[effect.origin],
        cell(str(effect.where)),
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if not rows:
        return
    yield from ["", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows[:_ROWS]:
        yield f"| {' | '.join(row)} |"
    if len(rows) > _ROWS:
        yield f"| … {len(rows) - _ROWS} more |{' |' * (len(head) - 1)}"
