"""Views of a text: the text itself, and the text with each kind of encoding or obfuscation undone.

Outgoing text is searched in all of its views: without escapes (percent, HTML entities, a plus for a blank), in
compatible characters, without invisible characters (zero-width, directions, Unicode tags, marks), with tags as the
letters that they spell, and what runs of base64 and hexadecimal digits decode to, also across blanks. This is repeated
on the results, three levels deep. Every step but the one to compatible characters makes a text shorter, and all views
together have a limit: a text beyond it does not count as clean.

Case is kept, because formats of keys depend on it. `folded` is the form in which words are compared.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

MOST = 4_000_000  # characters of all views together
DEPTH = 3  # levels of nested encodings that are undone
SHORTEST = 8  # characters of a decoded text that counts: shorter ones occur by chance
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{11,}")
_HEX = re.compile(r"(?:(?:\\x|0x|[%:,-])?[0-9A-Fa-f]{2}){8,}[0-9A-Fa-f]?")
_HEX_MARKS = re.compile(r"\\x|0x|[%:,-]")
_READABLE = re.compile(rf"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]{{{SHORTEST},}}")
_BLANKS = re.compile(r"\s+")
_TAGS = re.compile("[\U000e0020-\U000e007e]")
_TAG_LETTERS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_URLSAFE = str.maketrans("-_", "+/")
_KEPT = "\t\n\r"
_FILLERS = "\u115f\u1160\u2800"  # letters and signs that are invisible


class Views(NamedTuple):
    """The views of a text, itself first."""

    texts: tuple[str, ...]
    complete: bool  # False: there are more than the limit allows


class EncodedRun(NamedTuple):
    """Characters of a text that decode to another text."""

    start: int
    end: int
    text: str


def views(text: str) -> Views:
    """Return the views of a text."""
    found: dict[str, None] = {}
    spent = 0
    layer = [text]
    for depth in range(DEPTH + 1):
        below: list[str] = []
        for item in layer:
            for form in forms(item):
                if form in found:
                    continue
                spent += len(form)
                if spent > MOST:
                    return Views(tuple(found), complete=False)
                found[form] = None
                if depth < DEPTH and (inner := "\n".join(run.text for run in runs(form))):
                    below.append(inner)
        layer = below
    return Views(tuple(found), complete=True)


def forms(text: str) -> tuple[str, ...]:
    """Return the text itself, and the text with escapes, tags and invisible characters removed step by step; the last
    is the shortest.
    """
    found = {text: None}
    for begun in dict.fromkeys((text, text.replace("+", " "))):
        now = begun
        for _ in range(DEPTH + 1):
            found[visible(now)] = None
            if _TAGS.search(now):
                found[visible(now.translate(_TAG_LETTERS))] = None
            after = _unescaped(now)
            if after == now:
                break
            now = after
    return tuple(found)


def runs(text: str) -> Iterator[EncodedRun]:
    """Return the runs of a text that decode to something readable, including runs with blanks inside. They may overlap."""
    yield from _runs_in(text)
    solid = _BLANKS.sub("", text)
    if solid != text:
        where: list[int] = []
        for start, end, inner in _runs_in(solid):
            where = where or [place for place, char in enumerate(text) if not char.isspace()]
            yield EncodedRun(where[start], where[end - 1] + 1, inner)


def visible(text: str) -> str:
    """Return the text in compatible characters and without invisible ones: words that these interrupt become whole
    again.
    """
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import normalize  # noqa: PLC0415  (most texts are ASCII)

    return normalize("NFKC", text).translate(_shown())


def folded(text: str) -> str:
    """Return the form in which words are compared: without case, marks, invisible characters, and the width of blanks."""
    if text.isascii():
        plain = " ".join(text.split()).lower()
        return plain if plain.isprintable() else " ".join(plain.translate(_shown()).split())
    from unicodedata import normalize  # noqa: PLC0415

    apart = normalize("NFKD", normalize("NFKD", text).casefold())
    return _BLANKS.sub(" ", normalize("NFKC", _BLANKS.sub(" ", apart).translate(_shown()))).strip()


def holds(text: str, found_in: Callable[[str], bool]) -> bool:
    """Whether something is found in a view of the text; also True if not all views can be searched."""
    every = views(text)
    return not every.complete or any(map(found_in, every.texts))


def cleaned(text: str, clean: Callable[[str], str], mark: str) -> str:
    """Return the text without what `clean` removes, in whichever view it occurs.

    An encoded run with such content is replaced by the mark; if the content shows only without escapes or invisible
    characters, the text is returned without these; and if even that does not help, only the mark is returned.
    """

    def unclean(view: str) -> bool:
        return clean(view) != view

    if not holds(text, unclean):
        return text
    for form in forms(text):
        out = clean(form)
        for find in (_runs_in, runs):  # a run with blanks may include the words around it, so it is tried last
            out = _without(out, [run for run in find(out) if holds(run.text, unclean)], mark)
            if not holds(out, unclean):
                return out
    return mark


def _without(text: str, encoded: list[EncodedRun], mark: str) -> str:
    """Return the text with a mark instead of each run."""
    for start, end in reversed(_joined(encoded)):
        text = text[:start] + mark + text[end:]
    return text


def _joined(encoded: list[EncodedRun]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end, _ in sorted(encoded):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _unescaped(text: str) -> str:
    if "%" in text:
        from urllib.parse import unquote  # noqa: PLC0415  (few texts have escapes)

        text = unquote(text)
    if "&" in text:
        from html import unescape  # noqa: PLC0415

        text = unescape(text)
    return text


def _runs_in(text: str) -> Iterator[EncodedRun]:
    for found in _BASE64.finditer(text):
        # a run may begin in the middle of a group: letters of a preceding word are digits too
        inner = "\n".join(read for start in range(4) for read in _read(_from_base64(found[0][start:])))
        if inner:
            yield EncodedRun(*found.span(), inner)
    for found in _HEX.finditer(text):
        digits = _HEX_MARKS.sub("", found[0])
        parts = (digits[start : len(digits) - (len(digits) - start) % 2] for start in (0, 1))
        inner = "\n".join(read for part in parts for read in _read(bytes.fromhex(part)))
        if inner:
            yield EncodedRun(*found.span(), inner)


def _from_base64(digits: str) -> bytes:
    whole = digits[: len(digits) - (len(digits) % 4 == 1)].translate(_URLSAFE)
    return binascii.a2b_base64(whole + "=" * (-len(whole) % 4))


def _read(data: bytes) -> list[str]:
    """Return the readable parts of some bytes, including letters of two bytes each."""
    return _READABLE.findall(data.replace(b"\0", b"").decode("utf-8", "replace"))


@cache
def _shown() -> dict[int, int | None]:
    """Maps each visible character to its replacement, and others to None; filled on demand."""
    from unicodedata import category  # noqa: PLC0415

    class VisibleText(dict[int, int | None]):
        def __missing__(self, code: int) -> int | None:
            kind, char = category(chr(code)), chr(code)
            unseen = (kind[0] == "C" and char not in _KEPT) or kind in ("Mn", "Me") or char in _FILLERS
            self[code] = None if unseen else code
            return self[code]

    return VisibleText()
