"""The text of a skill in comparable pieces: sentences of prose, lines of code and front matter; and hidden text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remit.skill import document, frontmatter
from remit.skill.document import Document, LineCounter

_END = re.compile(r"(?<=[.!?])\s+")
_MARKER = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
# What Markdown renders as nothing: `[//]: # (text)` and similar. HTML comments are found by the reader of documents.
_UNSEEN = re.compile(
    r"^[ \t]*\[(?://|comment|_|#|\.)[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE
)
_COMMENT_OR_FENCE = re.compile(
    r"<!--.*?(?:-->|\Z)|^ {0,3}(?P<fence>`{3,}|~{3,})[^`\n]*\n(?:.*?^ {0,3}(?P=fence)[`~]*[ \t]*$|.*\Z)",
    re.MULTILINE | re.DOTALL,
)
_RAW = re.compile(r"<(?:pre|script|style|textarea|!\[|\?|![a-z])", re.IGNORECASE)  # HTML that blank lines do not end

# Invisible characters. U+FE0F and similar ones are common after a sign, one at a time.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0"
    "\U000e0000-\U000e007f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|(?:^|(?<=[\x00-\x7f]))[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f]|$)"
)
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f")  # flags of regions are written with tags
_TAGS = re.compile("[\U000e0020-\U000e007e]+")


def sentences(data: bytes) -> Iterator[tuple[str, int, bool]]:
    """Return each sentence of a document with its line, without layout (blanks, line breaks, list numbers); and whether
    it is prose.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front, body, skipped = frontmatter.split(text)
    for number, line in enumerate((front or "").split("\n"), 2):
        if found := " ".join(line.split()):
            yield found, number, True
    scanned = document.scan(body)
    for segment in scanned.segments:
        for sentence, offset in _split(segment.text):
            yield sentence, skipped + segment.start + offset + 1, True
    for fence in (*scanned.fences, *scanned.indented):
        for number, line in enumerate(fence.text.split("\n")):
            if found := " ".join(line.split()):
                yield found, skipped + fence.start + number + 1, False


def _split(text: str) -> Iterator[tuple[str, int]]:
    marker = _MARKER.match(text)
    at = marker.end() if marker else 0
    lines = LineCounter(text)
    for end in (*(found.end() for found in _END.finditer(text, at)), len(text)):
        piece = text[at:end]
        if words := " ".join(piece.split()):
            yield words, lines.at(at + len(piece) - len(piece.lstrip()))
        at = end


def unseen(document: Document, data: bytes) -> Iterator[tuple[str, int, str]]:
    """Return text of a document that a rendered page does not show: text, line, and how it is hidden."""
    body = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    shown = _shown(body) if "<!--" in body else frozenset()
    for text, line in document.hidden:
        if (words := " ".join(text.split())) and line not in shown:
            yield words, line, "a comment in the text"
    lines = LineCounter(body)
    for found in _UNSEEN.finditer(body) if "]:" in body else ():
        yield " ".join(found[1].split()), lines.at(found.start()) + 1, "a link that is never shown"


def _shown(text: str) -> frozenset[int]:
    """Return the lines of code blocks that every renderer shows, comments in them included.

    Only certain cases: a block that is not indented, not opened inside a comment, and not inside HTML, where a fence is
    no fence.
    """
    if _RAW.search(text):
        return frozenset()
    out: set[int] = set()
    lines = LineCounter(text)
    end, in_html = 0, False
    for found in _COMMENT_OR_FENCE.finditer(text):
        _, blank, last = text[end : found.start()].rpartition("\n\n")
        in_html = (in_html and not blank) or any(line.lstrip(" \t>").startswith("<") for line in last.split("\n"))
        end = found.end()
        if found["fence"] and not in_html:
            first = lines.at(found.start()) + 1
            out.update(range(first, first + found[0].count("\n") + 1))
    return frozenset(out)


def invisible(data: bytes) -> Iterator[tuple[str, int, str]]:
    """Return lines of a text with invisible characters: the line, its number, and what the characters are."""
    if data.isascii():
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.isascii():
            continue
        if found := invisible_in(line.removesuffix("\r")):
            yield line.strip(), number, described(found)


def invisible_in(line: str) -> str:
    """Return the invisible characters of a line."""
    return "" if line.isascii() else "".join(_INVISIBLE.findall(_FLAG.sub("", line)))


def described(chars: str) -> str:
    """Describe invisible characters: what they spell, if they do, or which they are."""
    spelt = "".join(chr(ord(char) - 0xE0000) for run in _TAGS.findall(chars) for char in run).strip()
    names = ", ".join(sorted({f"U+{ord(char):04X}" for char in chars})[:4])
    more = f" that spell “{spelt[:200]}”" if spelt else f" ({names})"
    return f"invisible characters{more}"
