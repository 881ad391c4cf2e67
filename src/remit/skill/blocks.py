"""The block structure of Markdown, as far as code is concerned: fences, indented code, headings, paragraphs.

A custom scanner, for two reasons. A model reads the text and not the rendering, so a fence counts wherever it is
visible: deeper in a list than CommonMark allows, inside `<details>` or an HTML comment. And a full parser spends most
of its time on what is not needed here. On well-formed documents it agrees with markdown-it, as the tests check.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.core.patterns import lazy_pattern

_MARK = lazy_pattern(
    r"^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE
)
_BREAK = lazy_pattern(r"[ \t>]*(?:$|#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|\||<!--|={3,}\s*$|-{3,}\s*$)")
_HEADING = lazy_pattern(r"[ ]{0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = lazy_pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class RawFence(NamedTuple):
    """A fence: info string, text, and the index of its first code line."""

    info: str
    text: str
    start: int
    order: int  # the index of the line that opens it


class Segment(NamedTuple):
    """Text between breaks: a paragraph, a list item, a table row, a heading (`level`)."""

    text: str
    start: int
    level: int = 0


class Blocks(NamedTuple):
    """The parts of a document, in order."""

    fences: list[RawFence]
    indented: list[RawFence]
    segments: list[Segment]


def _width(prefix: str) -> int:
    return len(prefix.expandtabs(4))


def _strip(line: str, quotes: int, column: int) -> str:
    """Return a line of a fence without its quote markers and up to `column` blanks of indentation."""
    for _ in range(quotes):
        head = line.lstrip(" \t")
        if not head.startswith(">"):
            break
        line = head[1:].removeprefix(" ")
    if column:
        blanks = len(line) - len(line.lstrip(" \t"))
        if "\t" in line[:blanks]:
            line = line[:blanks].expandtabs(4) + line[blanks:]
            blanks = len(line) - len(line.lstrip(" "))
        return line[min(column, blanks) :]
    return line


def scan(body: str) -> Blocks:
    """Find the blocks of a text whose lines end in a line feed alone."""
    lines = body.removesuffix("\n").split("\n")
    fences, spans = _fences(body, lines) if "```" in body or "~~~" in body else ([], [])
    blocks = Blocks(fences, [], [])
    at = 0
    for low, high in (*spans, (len(lines), len(lines))):
        if at < low:
            _plain(lines, at, low, blocks)
        at = high
    return blocks


def _fences(body: str, lines: list[str]) -> tuple[list[RawFence], list[tuple[int, int]]]:
    """Return the fences, and the ranges of lines that they take."""
    marks: list[tuple[int, str, str, str]] = []
    place, index = 0, 0
    for found in _MARK.finditer(body):
        index += body.count("\n", place, found.start())
        place = found.start()
        marks.append((index, found[1], found[2], found[3]))
    fences: list[RawFence] = []
    spans: list[tuple[int, int]] = []
    at = quote = 0
    while at < len(marks):
        index, prefix, run, info = marks[at]
        quotes = prefix.count(">")
        inner = prefix.rsplit(">", 1)[-1] if quotes else prefix
        column = _width(inner.removeprefix(" ") if quotes else inner)
        # Fences of the same quote end with it, so its end is searched only once.
        limit = quote if quotes and index < quote else _quote_end(lines, index, quotes)
        quote = limit if quotes else quote
        at += 1
        end = limit
        while at < len(marks) and marks[at][0] < limit:
            line, before, other, rest = marks[at]
            at += 1
            if other[0] == run[0] and len(other) >= len(run) and not rest.strip() and _closes(before, quotes, column):
                end = line
                break
        text = "\n".join(_strip(line, quotes, column) for line in lines[index + 1 : end])
        fences.append(RawFence(info.strip(), text + "\n" if end > index + 1 else "", index + 1, index))
        spans.append((index, min(end + 1, len(lines)) if end < limit else limit))
        while at < len(marks) and marks[at][0] < spans[-1][1]:
            at += 1
    return fences, spans


def _closes(prefix: str, quotes: int, column: int) -> bool:
    """Whether a fence with this prefix may close one that was opened at `column`. A list marker or deeper indent may
    not.
    """
    if prefix.count(">") > quotes or prefix.replace(">", "").strip():
        return False
    inner = prefix.rsplit(">", 1)[-1].removeprefix(" ") if ">" in prefix else prefix
    return _width(inner) < column + 4


def _quote_end(lines: list[str], index: int, quotes: int) -> int:
    """Return the line at which a quote ends; a fence inside it ends there too."""
    if not quotes:
        return len(lines)
    for number in range(index + 1, len(lines)):
        if not lines[number].lstrip(" \t").startswith(">"):
            return number
    return len(lines)


def _plain(lines: list[str], low: int, high: int, blocks: Blocks) -> None:
    """Return segments and indented code of a stretch without fences."""
    rows: list[str] = []
    start = low
    margin = 0  # the column of the text of the current list item
    blank = True
    number = low
    while number < high:
        line = lines[number]
        if _BREAK.match(line):
            if rows:
                blocks.segments.append(Segment("\n".join(rows), start))
                rows = []
            if not line.strip():
                blank = True
                number += 1
                continue
            found = _HEADING.match(line)
            if found:
                blocks.segments.append(Segment(found[2] or "", number, len(found[1])))
                margin, blank = 0, True
                number += 1
                continue
            if item := _ITEM.match(line):
                if blank and _width(line[: len(line) - len(line.lstrip())]) >= margin + 4 and not margin:
                    number = _indented(lines, number, high, 4, blocks)
                    continue
                margin = _width(item[0])
            start = number
        elif not rows:
            start = number
        if (
            blank
            and not rows
            and line[:1] in {" ", "\t"}
            and _width(line[: len(line) - len(line.lstrip())]) >= margin + 4
        ):
            number = _indented(lines, number, high, margin + 4, blocks)
            continue
        if line[:1] not in {" ", "\t"} and not _ITEM.match(line):
            margin = 0
        blank = False
        rows.append(line)
        number += 1
    if rows:
        blocks.segments.append(Segment("\n".join(rows), start))


def _indented(lines: list[str], number: int, high: int, column: int, blocks: Blocks) -> int:
    """Collect a block of indented code; return the index of the line after it."""
    end = number
    while end < high and (
        not lines[end].strip() or _width(lines[end][: len(lines[end]) - len(lines[end].lstrip())]) >= column
    ):
        end += 1
    rows = [_strip(line, 0, column) for line in lines[number:end]]
    while rows and not rows[-1].strip():
        rows.pop()
    blocks.indented.append(RawFence("", "\n".join(rows) + "\n", number, number))
    return end
