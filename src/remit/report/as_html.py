"""Reports as one page that needs nothing else: no script, no request, its style named by digest in its own policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.proof import Verdict
from remit.report.html_skill import SHAPES, numbers, skill
from remit.report.html_words import mark, marks, said, table
from remit.report.map_model import stand_of
from remit.report.map_svg import map_css, map_shapes
from remit.report.markup import Html, joined, tag
from remit.report.page import page
from remit.report.wording import verdict_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.report.drift_words import Compared
    from remit.report.html_model import Shown


def as_html(checked: Sequence[Shown], status: int, version: str, missing: Sequence[Compared] = ()) -> str:
    """The page; `missing` are skills that were there before. The same reports give the same bytes."""
    style = f"\n{(Path(__file__).parent / 'pages' / 'report.css').read_text('utf-8')}{map_css()}"
    body = tag(
        "body",
        marks(),
        Html(map_shapes(SHAPES)),
        _header(checked, status),
        _main(checked, missing),
        _footer(version),
        class_="remit-page",
    )
    return page(f"Remit: {_sum(checked)}", style, body)


def _sum(checked: Sequence[Shown]) -> str:
    if len(checked) == 1:
        return f"{checked[0].report.found.skill} {verdict_words(checked[0].report)}"
    verdicts = [one.report.verdict for one in checked]
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    return f"{counted(len(checked), 'skill')}: {', '.join(parts)}"


def _header(checked: Sequence[Shown], status: int) -> Html:
    ended = {0: "the check passed", 1: "the check failed"}.get(status, "something could not be read")
    return tag("header", tag("h1", "Remit"), tag("p", f"{_sum(checked)} · {ended} (exit status {status})"))


def _main(checked: Sequence[Shown], missing: Sequence[Compared]) -> Html:
    index = [_index(checked)] if len(checked) > 1 else []
    if missing:
        names = joined([tag("code", one.name) for one in missing], ", ")
        index.append(tag("p", "No longer there: ", names))
    return tag("main", *index, joined([skill(number, one) for number, one in enumerate(checked, 1)]))


def _index(checked: Sequence[Shown]) -> Html:
    rows = [
        (
            joined([mark(stand_of(one.report)), tag("a", one.report.found.skill, href=f"#s{number}")]),
            verdict_words(one.report),
            numbers(one.report),
            tag("code", one.report.found.path),
        )
        for number, one in enumerate(checked, 1)
    ]
    inner = table("all skills", ("skill", "verdict", "found", "folder"), rows, "index")
    return tag("nav", inner, aria_label="skills")


def _footer(version: str) -> Html:
    words = f"remit {version} · nothing of a skill was run for this · `remit explain` says what the words mean"
    return tag("footer", tag("p", said(words)))
