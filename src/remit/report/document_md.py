"""A document as Markdown, for a comment or a summary of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from remit.report.markdown import cell, code

if TYPE_CHECKING:
    from remit.report.document import Document, Section, Sentence, Table


def as_md(document: Document) -> Iterator[str]:
    """Return the lines."""
    yield f"# {document.title}"
    yield from _paragraphs(document.sentences)
    for section in document.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield from ["", f"## {section.title[:1].upper()}{section.title[1:]}"]
    yield from _paragraphs(section.sentences)
    for table in section.tables:
        if table.rows:
            if len(section.tables) > 1:
                yield from ["", f"### {table.title[:1].upper()}{table.title[1:]}"]
            yield from _table(table)
    for sentence in section.notes:
        yield from ["", f"> {_said(sentence, code)}"]


def _table(table: Table) -> Iterator[str]:
    heads = (*table.numbers, *table.texts)
    yield from ["", f"| {' | '.join(heads)} |", "|" + "---:|" * len(table.numbers) + "---|" * len(table.texts)]
    for row in table.rows:
        *cells, last = [_said(one, cell) for one in row.cells]
        below = "".join(f"<br>{_said(sentence, cell)}" for sentence in row.below)
        yield f"| {' | '.join((*cells, last + below))} |"


def _paragraphs(sentences: tuple[Sentence, ...]) -> Iterator[str]:
    for sentence in sentences:
        yield from ["", _said(sentence, code)]


def _said(sentence: Sentence, theirs: Callable[[str], str]) -> str:
    return "".join(part if isinstance(part, str) else theirs(part.text) for part in sentence)
