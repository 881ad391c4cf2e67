"""A document as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from remit.report.document import Document, Section, Sentence, Table, Theirs, Word
from remit.report.screen import Screen, visible, width_of
from remit.report.wording import pad

_INDENT = 2
_GAP = "  "
_LEVELS = {"system": ("red",), "dangerous": ("yellow",), "redact": ("yellow",), "normal": ("green",)}
_NARROW = 34  # columns of a text that is not the last


def as_text(document: Document, screen: Screen) -> Iterator[str]:
    """Return the lines."""
    yield screen.style(document.title, "bold")
    for sentence in document.sentences:
        yield from screen.wrap(_said(sentence, screen), _INDENT)
    for section in document.sections:
        yield ""
        yield from _section(section, screen)


def _section(section: Section, screen: Screen) -> Iterator[str]:
    yield screen.style(section.title, "bold")
    for sentence in section.sentences:
        yield from screen.wrap(_said(sentence, screen), _INDENT)
    for table in section.tables:
        if table.rows:
            yield ""
            if len(section.tables) > 1:
                yield screen.style(f"{' ' * _INDENT}{table.title}", "cyan")
            yield from _table(table, screen)
    if section.notes:
        yield ""
    for sentence in section.notes:
        yield from (screen.style(line, "dim") for line in screen.wrap(_said(sentence, screen), _INDENT))


def _table(table: Table, screen: Screen) -> Iterator[str]:
    heads = (*table.numbers, *table.texts)
    cells = [[_said(cell, screen, ticks=False) for cell in row.cells] for row in table.rows]
    widths = [max(width_of(text) for text in column) for column in zip(heads, *cells, strict=True)]
    for at in range(len(table.numbers), len(heads) - 1):
        widths[at] = min(widths[at], _NARROW)
    yield screen.style(" " * _INDENT + _GAP.join(_aligned(heads, widths, len(table.numbers))).rstrip(), "dim")
    indent = _INDENT + sum(widths[:-1]) + len(_GAP) * (len(heads) - 1)
    below = min(_INDENT + sum(widths[: len(table.numbers)]) + len(_GAP) * len(table.numbers), screen.width // 5)
    for row, texts in zip(table.rows, cells, strict=True):
        *start, last = _aligned(texts, widths, len(table.numbers))
        first = " " * _INDENT + "".join(text + _GAP for text in start)
        lines = screen.wrap(last.rstrip(), indent)
        # a text wider than its column gets a line of its own, uncut, so that it can be copied
        yield from (first + lines[0][indent:], *lines[1:]) if width_of(first) <= indent else (first.rstrip(), *lines)
        for sentence in row.below:
            yield from screen.wrap(_said(sentence, screen), below + 4, below + 2)


def _aligned(texts: tuple[str, ...] | list[str], widths: list[int], numbers: int) -> list[str]:
    return [
        " " * (width - width_of(text)) + text if at < numbers else pad(text, width)
        for at, (text, width) in enumerate(zip(texts, widths, strict=True))
    ]


def _said(sentence: Sentence, screen: Screen, *, ticks: bool = True) -> str:
    out = []
    for part in sentence:
        if isinstance(part, Theirs):
            out.append(f"`{visible(part.text)}`" if ticks else visible(part.text))
        elif isinstance(part, Word):
            out.append(screen.style(visible(part.text), *_LEVELS.get(part.level, ())))
        else:
            out.append(part)
    return "".join(out)
