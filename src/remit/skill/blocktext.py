"""Prose in code blocks: a prompt template, comments, sentences among the lines of a program.

A model reads a block like the rest, and does what a sentence in it asks for. A block without a programming language
counts as a text; in others the lines count that read as prose, with or without a comment sign.
"""

from __future__ import annotations

from remit.core.patterns import lazy_pattern

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
