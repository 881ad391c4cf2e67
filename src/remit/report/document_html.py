"""A document as one HTML page; shares are drawn as bars."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from remit.report.document import Document, Section, Sentence, Table, Word
from remit.report.markup import Html, joined, page, tag


def as_html(document: Document, version: str) -> str:
    """Return the page. The same document gives the same bytes."""
    style = f"\n{(Path(__file__).parent / 'pages' / 'document.css').read_text('utf-8')}"
    header = tag(
        "header", tag("p", "Remit", class_="brand"), tag("h1", document.title), *map(_paragraph, document.sentences)
    )
    sections = tuple(_section(number, one) for number, one in enumerate(document.sections, 1))
    footer = tag("footer", tag("p", f"remit {version} · no part of a skill was run"))
    body = tag("body", header, _contents(document), tag("main", *sections), footer)
    return page(f"Remit: {document.title}", style, body)


def _contents(document: Document) -> Html:
    links = [
        tag("li", tag("a", section.title, href=f"#s{number}")) for number, section in enumerate(document.sections, 1)
    ]
    return tag("nav", tag("ul", *links), aria_label="sections")


def _section(number: int, section: Section) -> Html:
    inside = [tag("h2", section.title, id=f"s{number}"), *map(_paragraph, section.sentences)]
    inside += [_table(table, titled=len(section.tables) > 1) for table in section.tables if table.rows]
    inside += [tag("p", *_said(sentence), class_="note") for sentence in section.notes]
    return tag("section", *inside, aria_labelledby=f"s{number}")


def _table(table: Table, *, titled: bool) -> Html:
    numbers, names = len(table.numbers), (*table.numbers, *table.texts)
    heads = [tag("th", name, scope="col", class_="number" if at < numbers else None) for at, name in enumerate(names)]
    rows = []
    for row in table.rows:
        cells = [
            tag("td", *_said(cell), *_bar(names[at], cell), class_="number" if at < numbers else None)
            for at, cell in enumerate(row.cells)
        ]
        rows.append(tag("tr", *cells))
        if row.below:
            below = tag("ul", *(tag("li", *_said(sentence)) for sentence in row.below))
            before = [tag("td", colspan=str(numbers))] if numbers else []
            rows.append(tag("tr", *before, tag("td", below, colspan=str(len(table.texts))), class_="below"))
    caption = tag("caption", table.title, class_=None if titled else "unseen")
    whole = tag("table", caption, tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag("div", whole, class_="wide", tabindex="0", role="group", aria_label=table.title)


def _bar(column: str, cell: Sentence) -> Iterator[Html]:
    """Return a share as a bar."""
    share = str(cell[0]).removesuffix("%")
    if column == "share" and share != "-":
        yield tag("meter", max="100", value=share, aria_hidden="true")


def _paragraph(sentence: Sentence) -> Html:
    return tag("p", *_said(sentence))


def _said(sentence: Sentence) -> Iterator[Html]:
    for part in sentence:
        if isinstance(part, str):
            yield joined([part])
        else:
            level = part.level if isinstance(part, Word) else ""
            yield tag("code", part.text, class_=f"level-{level}" if level else None, title=level or None)
