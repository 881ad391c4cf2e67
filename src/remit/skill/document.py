"""A Markdown document: the parts in which a reader, a model or a host finds commands.

The block structure is found first; code spans are found in the text of each block by the CommonMark rule for backtick runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.skill import frontmatter
from remit.skill.commands import is_command
from remit.skill.fences import tags

if TYPE_CHECKING:
    from remit.skill.frontmatter import FrontMatter

# The blocks, by a custom scanner, for two reasons. A model reads the text and not the rendering, so a fence counts wherever it
# is visible: deeper in a list than CommonMark allows, inside `<details>` or an HTML comment. And a full parser spends most of
# its time on what is not needed here. On well-formed documents it agrees with markdown-it, as the tests check.
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
    """Whether a fence with this prefix may close one opened at `column`: no list marker, and no deeper indent."""
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


# Prose in code blocks: a model reads a block like the rest, and does what a sentence in it asks for. A block without a
# programming language counts as a text; in others the lines count that read as prose, with or without a comment sign.
_SIGNS = lazy_pattern(r"[ \t]*(?:#+!?|//+|/\*+|\*+/?|--+|;+|%+|<!--|\"{3}|'{3})?[ \t]*")
# What may precede a sentence in data and in pages: tags, brackets, the name of a field whose value is a quoted text
_FRAME = lazy_pattern(
    r"(?:</?[A-Za-z][^<>\n]{0,200}>[ \t]*|[{\[(,][ \t]*|[\"']?[\w.-]{1,60}[\"']?[ \t]*[:=][ \t]*(?=[\"']\w)){1,6}"
)
_CLOSES = lazy_pattern(r"(?:</[^<>\n]{1,60}>|[\"'}\]),;]){1,12}[ \t]*$")
_MARKER = lazy_pattern(r"(?:[-*+>]|\d{1,9}[.)])[ \t]+")
_CODE = lazy_pattern(r"`[^`\n]{1,500}`|\b\w{1,20}://\S+")
_WORD = lazy_pattern(r"[\"'(*_\u201c]{0,4}[A-Za-z][A-Za-z'\u2019-]*[\"')*_\u201d]{0,4}[.,:;!?)]{0,3}")
_FEWEST = 4  # words of a line that reads as prose
_RUN = 2  # if one of them is code: "Run `make`"
_SHARE = 0.75  # fraction of its words that are words
_FENCE = ("```", "~~~")  # a block inside a block hides nothing
_DEEPEST = 3  # blanks before a line of prose: with more it is a code block


def prose(text: str, *, plain: bool) -> str:
    """Return a block with the same number of lines, keeping only prose. `plain`: the whole block is a text."""
    return "\n".join(_moved(row) if plain else _spoken(row) for row in text.split("\n"))


def _moved(row: str) -> str:
    bare = row.lstrip(" \t")
    if bare.startswith(_FENCE):
        return ""
    return " " * min(len(row) - len(bare), _DEEPEST) + bare


def _spoken(row: str) -> str:
    """Return a line without its comment sign if it reads as prose, else nothing."""
    if " " not in row and "\t" not in row:
        return ""  # a single word
    bare = row[_SIGNS.match(row).end() :]  # type: ignore[union-attr]  # every part of it may be missing
    if frame := _FRAME.match(bare):
        bare = _CLOSES.sub("", bare[frame.end() :].lstrip("\"'"))
    marker = _MARKER.match(bare)
    said = bare[marker.end() if marker else 0 :]
    words = (_CODE.sub("x", said) if "`" in said or "://" in said else said).split()
    fewest = _RUN if "`" in bare and said[:1].isupper() else _FEWEST
    if len(words) < fewest or not _WORD.fullmatch(words[0]) or "=" in words[1:3]:  # the last word is a value
        return ""
    spoken = sum([(word.isalpha() and word.isascii()) or _WORD.fullmatch(word) is not None for word in words])
    return bare if spoken >= _SHARE * len(words) else ""


class Fence(NamedTuple):
    """A code block: its text, the line of its first code line, the first word of its info string (lowercase)."""

    language: str
    info: str
    text: str
    line: int
    heading: str
    before: str = ""  # the paragraph directly before it
    indented: bool = False


class Span(NamedTuple):
    """An inline code span with the sentence around it; a NUL stands for it in `sentence`."""

    text: str
    line: int
    sentence: str
    heading: str
    in_heading: bool = False


class Paragraph(NamedTuple):
    """Text that people and models read: a paragraph, a list item, a table row or a heading (`level`), with its markers."""

    text: str
    line: int
    heading: str  # the headings above it, outermost first, with ` / ` between them
    level: int = 0


class Bang(NamedTuple):
    """A command that the host runs while it loads the text: !`cmd` or a ```! block."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One document. `role`: `skill` and `command` are loaded by the host, `reference` by the model, `people` by people."""

    path: str
    role: str
    front_matter: FrontMatter
    fences: tuple[Fence, ...] = ()
    spans: tuple[Span, ...] = ()
    bangs: tuple[Bang, ...] = ()
    links: tuple[tuple[str, int], ...] = ()
    headings: tuple[tuple[int, str, int], ...] = ()  # level, text, line
    hidden: tuple[tuple[str, int], ...] = ()  # HTML comments: visible to the model, not to a reader of the page
    paragraphs: tuple[Paragraph, ...] = ()


_PEOPLE = lazy_pattern(
    r"(?:readme|license|licence|changelog|changes|history|contributing|code_of_conduct|security|authors|notice|third_party_\w+)(?:[._-].*)?\Z",
    re.IGNORECASE,
)
_COMMANDS = lazy_pattern(r"(?:.*/)?(?:commands|agents|prompts)/(?:.*/)?[^/]+\Z", re.DOTALL)


def role_of(path: str) -> str:
    """Return what loads a document."""
    name = path.rsplit("/", 1)[-1]
    if name.lower() == "skill.md":
        return "skill"
    if _PEOPLE.match(name):
        return "people"
    return "command" if _COMMANDS.match(path) else "reference"


def parse(path: str, data: bytes) -> Document:
    """Parse a document."""
    role = role_of(path)
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    yaml_text, body, skipped = frontmatter.split(text)
    front = frontmatter.FrontMatter() if yaml_text is None else frontmatter.read(yaml_text, path)
    reader = _Reader(skipped)
    reader.run(body)
    loaded = role in {"skill", "command"} and ("!`" in body or "```!" in body or "~~~!" in body)
    bangs = _bangs(body, skipped) if loaded else ()
    return Document(
        path,
        role,
        front,
        tuple(reader.fences),
        tuple(reader.spans),
        bangs,
        tuple(reader.links),
        tuple(reader.headings),
        tuple(reader.hidden),
        tuple(reader.paragraphs),
    )


_PICTURES = lazy_pattern(r"(?:\s*\[?!\[[^\]]*\]\([^)\s<{$\[]*\)(?:\]\([^)\s<{$\[]*\))?)+\s*\Z")
_FILLED = lazy_pattern(r"[?&]\w+=[A-Z][A-Z_]{2,}(?![\w%])")
_TARGET = lazy_pattern(r"\]\([^)\s]*\)")


def caption(text: str) -> str:
    """Return a paragraph of nothing but pictures at fixed addresses without these: to show a picture sends nothing there."""
    if "![" in text and _PICTURES.match(text) and not _FILLED.search(text):
        return _TARGET.sub("]", text)
    return text


def inner(fence: Fence) -> Iterator[Paragraph]:
    """Return the prose in a code block; its own headings count as text."""
    text = prose(fence.text, plain=fence.language in tags().unlabelled)
    for content, start, _ in scan(text).segments if text and not text.isspace() else ():
        yield Paragraph(content, fence.line + start, fence.heading)


# The host scans the plain text, so fences and spans protect nothing. It requires a blank or the line's beginning before
# the `!`, where older versions accepted anything; where the `!` seems to end a word or an expression, the text has to
# read as a command.
_INLINE_BANG = lazy_pattern(r"(?:^|(?<=[\s(\[\"'*_:>|=,-]))!`([^`]+)`|!`(?=\S)([^`\n]+)`", re.MULTILINE)
_BLOCK_BANG = lazy_pattern(r"^[ \t>]*(`{3,}|~{3,})!([^\n]*\n.*?)(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)


def _bangs(body: str, skipped: int) -> tuple[Bang, ...]:
    found = [(one.start(), one[1] or one[2]) for one in _INLINE_BANG.finditer(body) if one[1] or is_command(one[2])]
    found += [(one.start(), one[2]) for one in _BLOCK_BANG.finditer(body)]
    lines = LineCounter(body)
    return tuple(Bang(text, skipped + 1 + lines.at(place)) for place, text in sorted(found))


class LineCounter:
    """Counts lines up to a position; for ascending positions it reads the text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.lines = 0

    def at(self, place: int) -> int:
        """Return the number of line ends before a position."""
        if place < self.place:
            self.place = self.lines = 0
        self.lines += self.text.count("\n", self.place, place)
        self.place = place
        return self.lines


_TICKS = lazy_pattern(r"`+")
_LINK = lazy_pattern(r"\]\(\s{0,9}<?([^)\s>#?]{1,500})")
_COMMENT = lazy_pattern(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_CODE_TAG = lazy_pattern(r"<(?:pre|code|script)\b", re.IGNORECASE)
_ELEMENT = lazy_pattern(r"(?<!`)<(pre|code|script)\b([^>]{0,300})>\s{0,99}(?:<code\b([^>]{0,300})>)?\n?", re.IGNORECASE)
_ELEMENT_LANGUAGE = lazy_pattern(r"(?:language-|lang-|brush:\s*)(\w+)")
_AFTER_CLASS = lazy_pattern(r"[ ,.}]")
_AFTER_WORD = lazy_pattern(r"[{\[:,(=;]")
_STOP = lazy_pattern(r"[.!?;:](?=\s|\Z)|\n\s*\n|\|")


class _Reader:
    """Reads the blocks of one document in order."""

    def __init__(self, skipped: int) -> None:
        self.skipped = skipped
        self.fences: list[Fence] = []
        self.spans: list[Span] = []
        self.links: list[tuple[str, int]] = []
        self.headings: list[tuple[int, str, int]] = []
        self.hidden: list[tuple[str, int]] = []
        self.paragraphs: list[Paragraph] = []
        self.stack: list[tuple[int, str]] = []
        self.path = ""
        self.before = ""

    def run(self, body: str) -> None:
        found = scan(body)
        parts: list[tuple[int, RawFence | Segment, bool]] = [(one.order, one, False) for one in found.fences]
        parts += [(one.order, one, True) for one in found.indented]
        parts += [(one.start, one, False) for one in found.segments]
        for _, part, indented in sorted(parts, key=itemgetter(0)):
            if isinstance(part, Segment):
                self._segment(part)
            else:
                self._code(part, indented=indented)
        if "<" in body:
            self._html(body, [(fence.order, fence.start + fence.text.count("\n")) for fence in found.fences])
        for block in self.fences:
            if "`" in block.text:
                self._inside(block)

    def _line(self, index: int) -> int:
        return self.skipped + index + 1

    def _code(self, fence: RawFence, *, indented: bool) -> None:
        line, language = self._line(fence.start), language_word(fence.info)
        self.fences.append(Fence(language, fence.info, fence.text, line, self.path, self.before, indented))

    def _inside(self, fence: Fence) -> None:
        """Return the code spans of the prose in a code block."""
        self.path = fence.heading
        for text, line, _, _ in inner(fence):
            if "`" in text:
                self._code_spans(text, line - self.skipped - 1, in_heading=False)

    def _segment(self, segment: Segment) -> None:
        content, start, level = segment
        if level:
            while self.stack and self.stack[-1][0] >= level:
                self.stack.pop()
            self.stack.append((level, content))
            self.headings.append((level, content, self._line(start)))
            self.path = " / ".join(text for _, text in self.stack)
        self.paragraphs.append(Paragraph(content, self._line(start), self.path, level))
        self.before = content
        if "`" in content:
            self._code_spans(content, start, in_heading=bool(level))
        if "](" in content:
            lines = LineCounter(content)
            self.links += [(found[1], self._line(start + lines.at(found.start()))) for found in _LINK.finditer(content)]

    def _code_spans(self, content: str, start: int, *, in_heading: bool) -> None:
        """Return the code spans: a run of n backticks opens one that the next run of n closes; one alone is text."""
        runs = [(found.start(), found.end()) for found in _TICKS.finditer(content)]
        lines = LineCounter(content)
        table = content.lstrip().startswith("|")
        index = 0
        while index < len(runs):
            begin, end = runs[index]
            if (
                begin
                and content[begin - 1] == "\\"
                and end - begin == 1
                and content[max(0, begin - 2) : begin] != "\\\\"
            ):
                index += 1
                continue
            partner = next(
                (n for n in range(index + 1, min(len(runs), index + 400)) if runs[n][1] - runs[n][0] == end - begin),
                None,
            )
            if partner is None:
                index += 1
                continue
            close, after = runs[partner]
            text = content[end:close].replace("\n", " ")
            if len(text) > 2 and text[0] == text[-1] == " " and text.strip():
                text = text[1:-1]
            if table:
                text = text.replace("\\|", "|")  # a bar in a table is escaped
            line = self._line(start + lines.at(begin))
            self.spans.append(Span(text, line, _sentence(content, begin, after), self.path, in_heading))
            index = partner + 1

    def _html(self, body: str, taken: list[tuple[int, int]]) -> None:
        """Return comments, and code in HTML elements, outside of fences."""
        if "<!--" in body:
            lines = LineCounter(body)
            self.hidden += [(found[1], self._line(lines.at(found.start()))) for found in _COMMENT.finditer(body)]
        if not _CODE_TAG.search(body):
            return
        from html import unescape  # noqa: PLC0415  few documents hold code in elements

        lines = LineCounter(body)
        closings = {tag: _Search(body.lower(), f"</{tag}") for tag in ("pre", "code", "script")}
        for found in _ELEMENT.finditer(body):
            index = lines.at(found.end())
            place = bisect_right(taken, (index, len(body)))
            ends = [end for tag in ("code", found[1].lower()) if (end := closings[tag].after(found.end())) >= 0]
            if not ends or (place and taken[place - 1][1] >= index):
                continue
            text = unescape(body[found.end() : min(ends)])
            info = _ELEMENT_LANGUAGE.search(f"{found[2]} {found[3] or ''}")
            language = "js" if found[1].lower() == "script" else info[1].lower() if info else ""
            self.fences.append(Fence(language, language, text, self._line(index), self.path, self.before))


class _Search:
    """Finds the next occurrence of a word; for ascending positions it reads the text once."""

    def __init__(self, text: str, word: str) -> None:
        self.text = text
        self.word = word
        self.found = 0

    def after(self, place: int) -> int:
        """Return the first position of the word from `place` on; negative if there is none."""
        if 0 <= self.found < place or not self.found:
            self.found = self.text.find(self.word, place)
        return self.found


def _sentence(content: str, begin: int, after: int) -> str:
    """Return the sentence around a span, from the last full stop before it to the first after it."""
    low = max(0, begin - 300)
    for stop in _STOP.finditer(content, low, begin):
        low = stop.end()
    high = _STOP.search(content, after, after + 300)
    return f"{content[low:begin]}\0{content[after : high.start() if high else after + 300]}"


def language_word(info: str) -> str:
    """Return the language of an info string, without attributes (`bash title="x"`, `{.python .x}`, `js{1,3}`)."""
    if not info:
        return ""
    word = info.split(None, 1)[0].lower()
    if word.startswith("{"):
        word = word.strip("{}").lstrip(".")
        return _AFTER_CLASS.split(word, maxsplit=1)[0]
    return _AFTER_WORD.split(word, maxsplit=1)[0].lstrip(".") or word
