"""A document as sentences: words in lower case, code and links as one word each (`spans.py`), punctuation that parts clauses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.prose.spans import DATA_ENDING, url_word, word_for
from remit.manifest.prose.variables import NAME
from remit.skill.document import inner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.manifest.prose.spans import Bundled
    from remit.skill.document import Document, Paragraph

_MARKERS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?")
_SPAN = re.compile(r"(?<!`)(`{1,9})(?!`)(.{1,500}?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\(\s*<?([^)\s>]{1,400})>?[^)\n]{0,200}\)")
_BARE_URL = re.compile(r"(?i:https?|wss?)://[^\s)>\]\"'`|]+")
_BARE_ADDRESS = re.compile(r"(?<![\w./:@-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?![\w/:])")
_BARE_NAME = re.compile(rf"(?<![\w/.-]){NAME}(?![\w/]|\.\w)")
_BARE_FILE = re.compile(rf"(?<![\w/.@~-])(?:[\w.~$<>{{}}*-]+/)*[\w.<>{{}}*-]*{DATA_ENDING}(?![\w(/-]|\.\w)")
_EMPHASIS = re.compile(r"\*{1,3}|(?<![\w])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w])|~~")
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z~\d\u2705\u274c])|\n{2,}")
_WORD = re.compile(
    r"~[a-z]+|[A-Za-z][A-Za-z0-9+#]*(?:['\u2019-][A-Za-z0-9]+)*|[,;:.!?()\u2192\u2014\u2013/=]|[\"\u201c\u201d]|\u274c|\u2705|\d+"
)
_LONGEST = 3000  # characters of a sentence that are read: nobody writes longer ones, and what is read grants
_TYPED = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2019": "'"})
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class Sentence(NamedTuple):
    """One sentence, the line it begins on and the headings above it.

    `place` says where it stands: `about` (the description of the skill), `needs` (what it says to be compatible with), `title`, `item`, `row` (of a table) or `text`.
    """

    text: str
    line: int
    heading: str
    place: str
    words: tuple[str, ...]
    codes: tuple[tuple[str, str], ...] = ()  # each code span or link target with the word that stands for it
    lead: Sentence | None = None  # of an item: the sentence with a colon that announces the list


def sentences(document: Document, bundled: Bundled) -> Iterator[Sentence]:
    """Every sentence of a document, its description first."""
    about = document.front_matter.text("description")
    if about:
        yield from _split(about, document.front_matter.line("description"), "", "about", bundled)
    needs = document.front_matter.text("compatibility")
    if needs:
        yield from _split(needs, document.front_matter.line("compatibility"), "", "needs", bundled)
    yield from _of(document.paragraphs, document, bundled)


def inner_sentences(document: Document, bundled: Bundled) -> Iterator[Sentence]:
    """Every sentence that stands in a code block."""
    for fence in document.fences:
        yield from _of(inner(fence), document, bundled)


def _of(paragraphs: Iterable[Paragraph], document: Document, bundled: Bundled) -> Iterator[Sentence]:
    title = f"{document.headings[0][1]} / " if document.headings and document.headings[0][0] == 1 else ""
    leads: list[tuple[int, Sentence]] = []  # announcements of the lists that are open, each with its indentation
    for text, line, under, level in paragraphs:
        heading = under.removeprefix(title)  # `Best practices for X` above everything says nothing of its sections
        place = (
            "title"
            if level
            else "row"
            if text.lstrip(" \t>").startswith("|")
            else "item"
            if _ITEM.match(text)
            else "text"
        )
        depth = len(text) - len(text.lstrip(" \t>")) if place == "item" else -1
        while leads and (leads[-1][0] >= depth or place == "title"):
            leads.pop()
        lead = leads[-1][1] if leads else None
        last = None
        for cell in text.split("|") if place == "row" else (text,):
            for last in _split(cell, line, heading, place, bundled):
                yield last._replace(lead=lead)
        if last and last.words[-1] == ":" and place in {"item", "text"}:
            leads.append((depth, last))


def _split(text: str, line: int, heading: str, place: str, bundled: Bundled) -> Iterator[Sentence]:
    codes: list[tuple[str, str]] = []

    def code(found: re.Match[str]) -> str:
        word = word_for(found[2], bundled, tool=found.string.startswith((" tool", "** tool"), found.end()))
        codes.append((word, found[2].strip()))
        return f" {word} "

    def link(found: re.Match[str]) -> str:
        word = word_for(found[2], bundled)
        codes.append((word, found[2]))
        return f"{found[1]} {word} "

    def url(found: re.Match[str]) -> str:
        word = url_word(found[0])
        codes.append((word, found[0]))
        return f" {word} "

    def address(found: re.Match[str]) -> str:
        codes.append(("~address", found[0]))
        return " ~address "

    def file(found: re.Match[str]) -> str:
        word = word_for(found[0], bundled)
        codes.append((word, found[0]))
        return f" {word} "

    def name(found: re.Match[str]) -> str:
        return f" {word_for(found[0], bundled)} "

    # each with a sign without which nothing is found: most sentences have none
    steps = (
        ("`", _SPAN, code),
        ("](", _LINK, link),
        ("://", _BARE_URL, url),
        ("@", _BARE_ADDRESS, address),
        (".", _BARE_FILE, file),
        ("_", _BARE_NAME, name),
    )
    plain = text[_MARKERS.match(text).end() :]  # type: ignore[union-attr]  # every part of it may be empty
    at = 0
    for whole in _END.split(plain):
        begin = plain.find(whole, at)
        here = line + plain.count("\n", at, begin)
        at = begin + len(whole)
        line = here + whole.count("\n")
        part = whole[:_LONGEST]
        codes.clear()
        reduced = part
        for sign, pattern, word in steps:
            if sign in reduced:
                reduced = pattern.sub(word, reduced)
        reduced = _EMPHASIS.sub("", reduced)
        words = tuple(map(str.lower, _WORD.findall(reduced if reduced.isascii() else reduced.translate(_TYPED))))
        if words:
            yield Sentence(" ".join(part.split())[:300], here, heading, place, words, tuple(codes))
