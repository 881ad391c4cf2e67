"""Text that is encoded: Base64 and hexadecimal strings, compressed or not, as the text that they stand for."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from functools import lru_cache

from remit.core.patterns import lazy_pattern

_FEWEST = 24  # characters: shorter strings say little
_MOST = 200_000
_BASE64 = lazy_pattern(rf"(?<![\w+/=.-])[A-Za-z0-9+/_-]{{{_FEWEST},}}={{0,2}}(?![\w+/=])")
_HEX = lazy_pattern(r"(?<!\w)(?:[0-9a-fA-F]{2}){16,}(?!\w)")
_ANY_HEADER = 47  # of zlib: gzip or zlib, as the data says
_READABLE = 0.97  # share of printable characters
_BLANKS = lazy_pattern(r"\s")


def decoded_texts(text: str) -> Iterator[str]:
    """The readable texts that stand encoded in a text."""
    yield from (inner for _, inner in decoded_spans(text))


def decoded_spans(text: str) -> Iterator[tuple[int, str]]:
    """Where a readable text stands encoded in a text, and what it says."""
    if len(text) < _FEWEST:
        return
    at = 0
    for word in [word for word in text.split() if _FEWEST <= len(word) <= _MOST]:  # nearly all words are too short
        at = text.index(word, at)
        for found in _BASE64.finditer(word):
            if (inner := from_base64(found[0])) is not None:
                yield at + found.start(), inner
        for found in _HEX.finditer(word):
            if (inner := _readable(bytes.fromhex(found[0]))) is not None:
                yield at + found.start(), inner


@lru_cache(512)
def from_base64(text: str) -> str | None:
    """The readable text that a Base64 string stands for; None if it is none."""
    if text.isalpha() and (text.islower() or text.isupper() or text.istitle()):
        return None  # a long word
    solid = _BLANKS.sub("", text).replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(solid + "=" * (-len(solid) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return _readable(data)


def _readable(data: bytes) -> str | None:
    """The text that some bytes are, unpacked if they are packed; None if a reader could not read it."""
    try:
        if data[:2] == b"\x1f\x8b" or data[:1] == b"\x78":
            data = zlib.decompressobj(_ANY_HEADER).decompress(data, _MOST)
        text = data.decode("utf-8")
    except (zlib.error, UnicodeDecodeError):
        return None
    seen = sum(char.isprintable() or char in "\r\n\t" for char in text)
    return text if len(text) >= _FEWEST // 2 and seen >= _READABLE * len(text) else None
