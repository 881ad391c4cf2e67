"""Reports as one self-contained page: no script, no request, its style allowed by digest in its own policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.counting import counted
from remit.report.first_screen import ANSWERS, answer_of, badness, why
from remit.report.html_skill import SHAPES, skill, skill_css
from remit.report.html_words import answer, marks, said, table
from remit.report.map_svg import map_css, map_shapes
from remit.report.markup import Html, joined, page, tag

if TYPE_CHECKING:
    from remit.report.drift_words import Compared
    from remit.report.html_model import SkillPage


def as_html(checked: Sequence[SkillPage], status: int, version: str, missing: Sequence[Compared] = ()) -> str:
    """Return the page; `missing` are skills that were there before. The same reports give the same bytes."""
    style = f"\n{(Path(__file__).parent / 'pages' / 'report.css').read_text('utf-8')}{skill_css()}{map_css()}"
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


def _sum(checked: Sequence[SkillPage]) -> str:
    if len(checked) == 1:
        return f"{checked[0].report.found.skill}: {checked[0].report.headline}"
    found = [answer_of(one.report) for one in checked]
    parts = [
        f"{count} {words}"
        for name in ANSWERS
        for words, count in Counter(one.words for one in found if one.name == name).items()
    ]
    return f"{counted(len(checked), 'skill')}: {', '.join(parts)}"


def _header(checked: Sequence[SkillPage], status: int) -> Html:
    ended = {0: "the check passed", 1: "the check failed"}.get(status, "something could not be read")
    return tag("header", tag("h1", "Remit"), tag("p", f"{_sum(checked)} · {ended} (exit status {status})"))


def _main(checked: Sequence[SkillPage], missing: Sequence[Compared]) -> Html:
    ranked = sorted(checked, key=lambda one: badness(one.report))
    index = [_index(ranked)] if len(ranked) > 1 else []
    if missing:
        names = joined([tag("code", one.name) for one in missing], ", ")
        index.append(tag("p", "No longer there: ", names))
    alone = len(ranked) == 1
    return tag("main", *index, joined([skill(number, one, alone=alone) for number, one in enumerate(ranked, 1)]))


def _index(checked: Sequence[SkillPage]) -> Html:
    rows = [
        (tag("a", one.report.found.skill, href=f"#s{number}"), answer(one.report), why(one.report))
        for number, one in enumerate(checked, 1)
    ]
    inner = table("all skills", ("skill", "install?", "why"), rows, "index")
    return tag("nav", inner, aria_label="skills")


def _footer(version: str) -> Html:
    words = f"remit {version} · no part of a skill was run · `remit explain` explains the terms"
    return tag("footer", tag("p", said(words)))
