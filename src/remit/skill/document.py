"""A Markdown document: the parts in which a reader, a model or a host finds commands.

Blocks come from `blocks.py`; code spans are found in the text of each by the CommonMark rule for backtick runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.skill import blocks, blocktext, frontmatter
from remit.skill.commands import is_command
from remit.skill.fences import tags

if TYPE_CHECKING:
    from remit.skill.blocks import RawFence, Segment
    from remit.skill.frontmatter import FrontMatter


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
    text = blocktext.prose(fence.text, plain=fence.language in tags().unlabelled)
    for content, start, _ in blocks.scan(text).segments if text and not text.isspace() else ():
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
        found = blocks.scan(body)
        code = [(fence.order, fence, False) for fence in found.fences] + [
            (fence.order, fence, True) for fence in found.indented
        ]
        code.sort(key=lambda item: item[0])
        at = 0
        for segment in found.segments:
            while at < len(code) and code[at][0] < segment.start:
                self._code(code[at][1], indented=code[at][2])
                at += 1
            self._segment(segment)
        for _, fence, indented in code[at:]:
            self._code(fence, indented=indented)
        if "<" in body:
            self._html(body, [(fence.order, fence.start + fence.text.count("\n")) for fence in found.fences])
        for block in self.fences:
            if "`" in block.text:
                self._inside(block)

    def _line(self, index: int) -> int:
        return self.skipped + index + 1

    def _code(self, fence: RawFence, *, indented: bool) -> None:
        self.fences.append(
            Fence(
                language_word(fence.info),
                fence.info,
                fence.text,
                self._line(fence.start),
                self.path,
                self.before,
                indented,
            )
        )

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
        """Return the code spans. A run of n backticks opens a span that the next run of n closes; a run without partner
        is text.
        """
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
    """Return the language of an info string: its first word without attributes (`bash title="x"`, `{.python .x}`,
    `js{1,3}`).
    """
    if not info:
        return ""
    word = info.split(None, 1)[0].lower()
    if word.startswith("{"):
        word = word.strip("{}").lstrip(".")
        return _AFTER_CLASS.split(word, maxsplit=1)[0]
    return _AFTER_WORD.split(word, maxsplit=1)[0].lstrip(".") or word
