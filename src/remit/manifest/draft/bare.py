"""A text as bare words: line breaks, emphasis and what is not seen between letters cannot part words that belong together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_DROP = re.compile(
    "[*`\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|(?<!\\w)_+|_+(?!\\w)|\\\\(?=[A-Za-z])"
)
_GAP = re.compile(r"(?:\s|<br\s{0,9}/?>|&nbsp;|&#(?:32|160|x20|xa0);|(?<=\s)>)+", re.IGNORECASE)
_NOISE = re.compile(f"{_DROP.pattern}|{_GAP.pattern}", re.IGNORECASE)


def bare(text: str) -> str:
    """The words of a text, with one space between them."""
    return _GAP.sub(" ", _DROP.sub("", text))


def raw_places(text: str, words: str) -> list[int]:
    """For each character of the bare words of a text, where it stands in the text."""
    solid = _solid(text)
    out: list[int] = []
    at = 0
    for letter in words:
        if letter != " ":
            at = next(solid, at)
        out.append(at)
    return out


def _solid(text: str) -> Iterator[int]:
    at = 0
    for noise in _NOISE.finditer(text):
        yield from range(at, noise.start())
        at = noise.end()
    yield from range(at, len(text))
