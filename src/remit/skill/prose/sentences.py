"""Sentences of a document: words in lower case, code and links as one word each (`spans.py`), punctuation that
separates clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.core.patterns import lazy_pattern
from remit.core.scope import ScopeKind, parse_scope
from remit.core.sensitive import sensitive
from remit.skill.document import caption
from remit.skill.prose.spans import DATA_ENDING, Bundled, url_word
from remit.skill.prose.variables import NAME

if TYPE_CHECKING:
    from remit.skill.document import Document, Paragraph

_TAGS = lazy_pattern(r"(?:\s*(?:</?[A-Za-z][^<>]{0,200}>|\{\{[#/^][^{}]{0,100}\}\}))+")
_MARKERS = lazy_pattern(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?")
_QUOTE = lazy_pattern(r"\n(?:[ \t]*>)+[ \t]?")
# Code between single marks, as nearly all is, needs no search for marks of the same length.
_SPAN = lazy_pattern(r"(?<!`)(?:`([^`]{1,500})`(?!`)|(`{1,9})(?!`)(.{1,500}?)(?<!`)\2(?!`))", re.DOTALL)
_LINK = lazy_pattern(r"!?\[([^\]\n]{0,300})\]\(\s*<?([^)\s>]{1,400})>?(?:\s[^)\n]{0,200})?\)")
_BARE_URL = lazy_pattern(r"(?i:https?|wss?)://[^\s)>\]\"'`|]+")
_BARE_ADDRESS = lazy_pattern(r"(?<![\w./:@-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?![\w/:])")
_BARE_NAME = lazy_pattern(rf"(?<![\w/.-]){NAME}(?![\w/]|\.\w)")
_BARE_FILE = lazy_pattern(rf"(?<![\w/.@~-])(?:[\w.~$<>{{}}*-]+/)*[\w.<>{{}}*-]*{DATA_ENDING}(?![\w(/-]|\.\w)")
# A path without a file's ending: from a home folder or a system folder on, or a name that begins with a dot
_BARE_PATH = lazy_pattern(
    r"(?<![\w/.@~$-])(?:~|\$HOME|\$\{HOME\}|/(?:etc|usr|var|home|root|opt|proc|sys|mnt|srv|media|private|Users|Library|Volumes))(?:/[\w.@*-]+)+/?"
    r"|(?<![\w/.@~)-])(?:[\w-]+/)*\.[a-z][\w-]*(?:[./][\w@*-]+)*(?![\w(])"
    r"|\bid_(?:rsa|dsa|ecdsa|ed25519)\b"
)
_BARE_SCRIPT = lazy_pattern(r"(?<![\w/.@~$\x1f-])(?:[\w.-]+/)*[\w-]+\.[a-z]\w{0,4}(?![\w(/-]|\.\w)")
_BARE_TOOL = lazy_pattern(r"\bmcp__\w+|\b[a-z]+(?:_[a-z0-9]+)+(?= (?:mcp |MCP )?tool\b)")
_MAY_BE_PATH = lazy_pattern(r"/|(?<!\w)\.[a-z]|id_")  # skips most sentences quickly
_MAY_BE_FILE = lazy_pattern(r"\.[a-z0-9]")
_MAY_BE_PLACE = lazy_pattern(r"(?=.*[./_])[\w.@~$%{}<>*/\\: -]+\Z")
_EMPHASIS = lazy_pattern(r"\*{1,3}|(?<![\w])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w])|~~")
_END = lazy_pattern(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z~\d\u2705\u274c])|\n{2,}")
_MAY_END = lazy_pattern(r"[.!?\n][\"')\]]*\s")  # skips most texts quickly
_WORD = lazy_pattern(
    r"~[a-z]+(?:\x1f\d+)?|[A-Za-z][A-Za-z0-9+#]*(?:['\u2019-][A-Za-z0-9]+)*|[,;:.!?()\u2192\u2014\u2013/=]|[\"\u201c\u201d]|\u274c|\u2705|\d+"
)
_LONGEST = 3000  # characters of a sentence; a longer one counts as several
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")
# The first class is ``[`@_*<{~/\x1f\x80-\U0010ffff]``, which takes ten times as long to compile.
_SIGNS = lazy_pattern(r"[^\x00-\x1e !-)+-.0-;=-?A-^a-z|}\x7f]|\]\(|\.[a-z0-9]|id_")
_CELLS = lazy_pattern(r"(?<!\\)\|")
_ITEM = lazy_pattern(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class Sentence(NamedTuple):
    """One sentence, the line it begins on and the headings above it.

    `place` says where it is: `about` (the description of the skill), `needs` (its compatibility requirements), `title`,
    `item`, `row` (of a table) or `text`.
    """

    text: str
    line: int
    heading: str
    place: str
    words: tuple[str, ...]
    codes: tuple[tuple[str, str], ...] = ()  # each code span or link target with the word that stands for it
    lead: Sentence | None = None  # of an item: the sentence with a colon that announces the list
    at: tuple[int, ...] = ()  # the word that stands for each of `codes`
    raw: str = ""  # as it is written


def sentences(document: Document, bundled: Bundled) -> Iterator[Sentence]:
    """Return every sentence of a document, its description first."""
    about = document.front_matter.text("description")
    if about:
        yield from split(about, document.front_matter.line("description"), "", "about", bundled)
    needs = document.front_matter.text("compatibility")
    if needs:
        yield from split(needs, document.front_matter.line("compatibility"), "", "needs", bundled)
    yield from paragraph_sentences(document.paragraphs, document, bundled)


def paragraph_sentences(paragraphs: Iterable[Paragraph], document: Document, bundled: Bundled) -> Iterator[Sentence]:
    """Return the sentences of some paragraphs of a document."""
    title = f"{document.headings[0][1]} / " if document.headings and document.headings[0][0] == 1 else ""
    leads: list[tuple[int, Sentence]] = []  # announcements of the lists that are open, each with its indentation
    for text, line, under, level in paragraphs:
        heading = under.removeprefix(title)  # the title `Best practices for X` says nothing about its sections
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
        for cell in _cells(text) if place == "row" else (text,):
            for last in split(cell, line, heading, place, bundled):
                yield last if lead is None else last._replace(lead=lead)
        if last and last.words[-1] == ":" and place in {"item", "text"}:
            leads.append((depth, last))


def _cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|") for cell in _CELLS.split(row)] if "\\" in row else row.split("|")


def split(text: str, line: int, heading: str, place: str, bundled: Bundled) -> Iterator[Sentence]:
    """Return the sentences of a text that begins at a line."""
    text = caption(text)
    plain = text[_MARKERS.match(text).end() :]  # type: ignore[union-attr]  # every part of it may be empty
    if "\n" in plain and ">" in plain:
        plain = _QUOTE.sub("\n", plain)
    if not plain or plain.isspace():
        return
    at = 0
    for whole in _END.split(plain) if _MAY_END.search(plain) else (plain,):
        begin = plain.find(whole, at)
        here = line + plain.count("\n", at, begin)
        at = begin + len(whole)
        line = here + whole.count("\n")
        for start in range(0, len(whole), _LONGEST):
            part = whole[start : start + _LONGEST]
            words, codes, places = _words(part, bundled)
            if words:
                shown = " ".join(part.split())[:300]
                yield Sentence(
                    shown, here + whole.count("\n", 0, start), heading, place, words, codes, None, places, part
                )


def _words(part: str, bundled: Bundled) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[int, ...]]:  # noqa: C901, PLR0912  one case for each form of sentence
    """Return the words of a sentence; the content of code and links in it, with the word that stands for each, and
    which word that is.
    """
    if not _SIGNS.search(part):
        return tuple(_WORD.findall(part.lower())), (), ()  # plain words, as in most sentences
    codes: list[tuple[str, str]] = []

    def note(word: str, text: str) -> str:
        codes.append((word, text))
        return f" {word}\x1f{len(codes) - 1} "

    def code(found: re.Match[str]) -> str:
        called = found.string.startswith((" tool", "** tool"), found.end())
        text = found[1] or found[3]
        return note(bundled.word(text, called=called), text.strip())

    def link(found: re.Match[str]) -> str:
        return f"{found[1]} {note(bundled.word(found[2]), found[2])}"

    def name(found: re.Match[str]) -> str:
        return note(bundled.word(found[0]), found[0])

    def path(found: re.Match[str]) -> str:
        text = found[0].rstrip(".")
        return note(bundled.word(text), text) if found[0][0] in "~$/" or is_sensitive(text) else found[0]

    def script(found: re.Match[str]) -> str:
        return note("~script", found[0]) if bundled.kind(found[0]) == "~script" else found[0]

    reduced = part.replace("\x1f", " ")
    if reduced[:1] in {"<", "{"} and (framed := _TAGS.match(reduced)):
        reduced = reduced[framed.end() :]  # what frames a sentence is no word of it
    # each with a sign without which it cannot match: most sentences have none
    if "`" in reduced:
        reduced = _SPAN.sub(code, reduced)
    if "](" in reduced:
        reduced = _LINK.sub(link, reduced)
    if "://" in reduced:
        reduced = _BARE_URL.sub(lambda found: note(url_word(found[0]), found[0]), reduced)
    if "@" in reduced:
        reduced = _BARE_ADDRESS.sub(lambda found: note("~address", found[0]), reduced)
    dotted = _MAY_BE_FILE.search(reduced) is not None
    if dotted:
        reduced = _BARE_FILE.sub(name, reduced)
    if _MAY_BE_PATH.search(reduced):
        reduced = _BARE_PATH.sub(path, reduced)
    if dotted and bundled.scripts:
        reduced = _BARE_SCRIPT.sub(script, reduced)
    if "_" in reduced:
        reduced = _BARE_TOOL.sub(lambda found: note("~tool", found[0]), reduced)
        reduced = _BARE_NAME.sub(name, reduced)
    if "*" in reduced or "_" in reduced or "~~" in reduced:
        reduced = _EMPHASIS.sub("", reduced)
    found = _WORD.findall(reduced.lower() if reduced.isascii() else _straight(reduced))
    if not found and _LETTERS.search(part):
        return ("~foreign",), (), ()  # a text in other letters has content as well
    marked = [at for at, token in enumerate(found) if "\x1f" in token] if codes else []
    named = []
    for at in marked:
        found[at], _, mark = found[at].partition("\x1f")
        named.append(codes[int(mark)])
    words = found if reduced.isascii() else map(str.lower, found)
    return tuple(words), tuple(named), tuple(marked)


def _straight(text: str) -> str:
    """A text with the quotation marks of a typewriter; `translate` looks up each letter."""
    return text.replace("\u201c", '"').replace("\u201d", '"').replace("\u2019", "'")


@lru_cache(8192)
def is_sensitive(path: str, action: str = "file.write") -> bool:
    """Whether a path is a sensitive place: reading or writing there means more."""
    return bool(_meanings(path, action))


def is_secret(path: str) -> bool:
    """Whether a path is a place of secrets."""
    return "secret.read" in _meanings(path, "file.read")


def _meanings(path: str, action: str) -> tuple[str, ...]:
    if not _MAY_BE_PLACE.match(path):
        return ()  # code and plain words
    try:
        return sensitive(action, parse_scope(ScopeKind.PATH, path))
    except ManifestError:
        return ()
