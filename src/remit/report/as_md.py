"""Reports as Markdown, for the summary of a run or a comment on a pull request: what is wrong is open, what a skill can do is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.proof import Verdict
from remit.report.drift_md import CHANGE_MARKS, changes_md
from remit.report.drift_words import verdict_line
from remit.report.markdown import cell, code
from remit.report.wording import rank, unread_words, verdict_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remit.checker.report import Report
    from remit.core.effect import Effect
    from remit.report.drift_words import Compared

_MARKS = {Verdict.CONTAINED: "✅", Verdict.ESCAPES: "❌", Verdict.OPAQUE: "❔", Verdict.UNDECLARED: "🆕"}
_WHO = {
    Origin.SCRIPT: "a script",
    Origin.INSTRUCTED: "the agent, as the text says",
    Origin.HOOK: "a hook, without being asked",
}
_ROWS = 50  # of one table; a comment has a limit


def as_md(
    reports: Sequence[Report],
    status: int,
    compared: Mapping[str, Compared] | None = None,
    missing: Sequence[Compared] = (),
) -> Iterator[str]:
    """The lines; `compared` is what changed in each skill, by its folder, and `missing` are those that are gone."""
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
        yield "⚠️ Summary files of the project count here: what they say of libraries and commands is believed."
    if compared is not None:
        yield from _changed([*compared.values(), *missing])
    for report in reports:
        yield ""
        yield from _skill(report, compared.get(report.found.path) if compared else None)


def _to_look_at(report: Report, compared: Compared | None) -> bool:
    if report.failure or report.containment.escapes or report.found.opaque:
        return True
    return compared is not None and bool(compared.drift.gains)


def _changed(items: Sequence[Compared]) -> Iterator[str]:
    """The change in one table: what each skill that differs can do more."""
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
    mark = "⚠️" if report.failure else _MARKS[report.verdict]
    yield f"### {mark} {code(report.found.skill)}: {verdict_words(report)}"
    if report.failure:
        yield ""
        yield f"{code(report.failure.message)} {code(report.failure.remedy)}".rstrip()
        return
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
    yield from _table(
        ("not understood", "where", "to do"),
        [tuple(map(cell, (one.reason, str(one.where), one.remedy))) for one in report.found.opaque],
    )
    if unread := report.found.unread:
        yield from ["", f"<details><summary>{unread_words(len(unread))}</summary>"]
        yield from _table(("sentence", "where"), [(cell(one.text), cell(str(one.where))) for one in unread])
        yield from ["", "</details>"]
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
