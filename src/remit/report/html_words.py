"""Small elements of pages: marks with their words, links to lines, tables, folded parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from remit.core.capability import Level
from remit.report.first_screen import answer_of
from remit.report.map_model import Stand
from remit.report.marks import MARKS
from remit.report.markup import Html, joined, tag, text

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.location import Location
    from remit.findings.model import Severity
    from remit.report.html_model import Anchors

_SAID = {
    Stand.OUTSIDE: "escapes",
    Stand.UNKNOWN: "not understood",
    Stand.DENIED: "denied",
    Stand.UNDECLARED: "undeclared",
    Stand.INSIDE: "inside the manifest",
}


def marks() -> Html:
    """Return the pictures that `mark` shows, each with its word; a page has them once."""
    return tag("svg", *(_symbol(stand, level) for stand in Stand for level in ("", *Level)), class_="unseen")


def _symbol(stand: Stand, level: str) -> Html:
    wrong = stand in (Stand.OUTSIDE, Stand.UNKNOWN) or not level
    color = f"stand-{stand}" if wrong else f"level-{level}"
    said = f"{_SAID[stand]}{f', {level}' if level else ''}"
    shape = tag("g", Html(MARKS[stand]), class_=color)
    box = "-11 -11 22 22"
    return tag(
        "symbol", tag("title", said), shape, id=_name(stand, level), viewBox=box, aria_label=said, class_="remit-mark"
    )


def _name(stand: Stand, level: str) -> str:
    """Return a short name: a page has thousands of marks."""
    return f"m{tuple(Stand).index(stand)}{level[:1]}"


def mark(stand: Stand, level: str = "") -> Html:
    """Return the standing of an item, as a shape; coloured by a level where nothing is wrong."""
    name = _name(stand, level)
    return tag("svg", Html(f'<use href="#{name}"/>'), class_="mark", role="img", aria_labelledby=name)


def severity(found: Severity) -> Html:
    """Return the severity of a finding."""
    return tag("span", str(found), class_=f"badge severity-{found}")


def answer(report: Report) -> Html:
    """Return the answer whether to install it."""
    found = answer_of(report)
    return tag("span", found.words, class_=f"badge answer-{found.name}")


def said(words: str) -> Html:
    """Return our own text: what is between backticks is code."""
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return text(words)
    return joined([tag("code", part) if number % 2 else part for number, part in enumerate(parts)])


def place_link(place: Location, anchors: Anchors) -> Html:
    """Return a link to a line."""
    return tag("a", tag("code", str(place)), href=anchors.link(place))


def place_links(places: Iterable[Location], anchors: Anchors) -> Html:
    """Return links to lines; the name of a file precedes the first of its lines."""
    files: dict[str, list[Location]] = {}
    for place in dict.fromkeys(places):
        files.setdefault(place.file, []).append(place)
    links = [
        tag("a", str(place.line) if number else str(place), href=anchors.link(place))
        for found in files.values()
        for number, place in enumerate(found)
    ]
    return tag("code", joined(links, ", "))


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], class_: str = "") -> Html:
    """Return a table that scrolls by itself on a narrow page."""
    heads = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in head)))
    body = tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row)) for row in rows))
    whole = tag("table", tag("caption", title, class_="unseen"), heads, body, class_=class_ or None)
    return tag("div", whole, class_="wide", tabindex="0", role="group", aria_label=title)


def folded(title: str, *inside: str, ident: str | None = None) -> Html:
    """Return a part that opens with a click, and with a link into it."""
    return tag("details", tag("summary", title), *inside, id=ident)
