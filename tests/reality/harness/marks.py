"""Looks for marked data, also where it was encoded, packed, turned around or digested."""

from __future__ import annotations

import base64
import binascii
import bz2
import codecs
import contextlib
import hashlib
import io
import lzma
import re
import urllib.parse
import zipfile
import zlib
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARK = re.compile(r"mk[a-z0-9]{18}")
DEPTH = 3  # encodings inside of each other
MOST = 400  # forms of one piece of data
LARGE = 8_000_000
DIGESTS = ("md5", "sha1", "sha256", "sha512")
_PACKED = {
    b"\x1f\x8b": lambda data: zlib.decompressobj(31).decompress(data),
    b"x\x9c": lambda data: zlib.decompressobj().decompress(data),
    b"x\xda": lambda data: zlib.decompressobj().decompress(data),
    b"x\x01": lambda data: zlib.decompressobj().decompress(data),
    b"BZh": lambda data: bz2.BZ2Decompressor().decompress(data),
    b"\xfd7zXZ": lambda data: lzma.LZMADecompressor().decompress(data),
}


def forms(data: bytes) -> list[bytes]:
    """Data as it is, and after every encoding that can be undone was undone."""
    seen: set[bytes] = set()
    found: list[bytes] = []
    todo = deque([(data, 0)])
    while todo and len(found) < MOST:
        one, depth = todo.popleft()
        if not one or one in seen or len(one) > LARGE:
            continue
        seen.add(one)
        found.append(one)
        if depth < DEPTH:
            todo += [(other, depth + 1) for other in (*_texts(one), *_unpacked(one), *_turned(one, depth))]
    return found


def _texts(data: bytes) -> Iterator[bytes]:
    if b"%" in data or b"+" in data:
        yield urllib.parse.unquote_to_bytes(data.replace(b"+", b" "))
        yield urllib.parse.unquote_to_bytes(data)
    if b"\\" in data:
        plain = re.sub(rb"\\u00([0-9a-fA-F]{2})", lambda found: bytes([int(found[1], 16)]), data)
        yield plain.replace(b"\\n", b"\n").replace(b'\\"', b'"').replace(b"\\/", b"/").replace(b"\\\\", b"\\")
    for text in {data, data.replace(b"\r", b"").replace(b"\n", b"")}:
        for word in re.findall(rb"[A-Za-z0-9+/_-]{16,}", text):
            for start in range(2 if len(word) < 4000 else 1):  # a letter may stand before it
                yield from _decoded(base64.b64decode, word[start:].replace(b"-", b"+").replace(b"_", b"/"), 4, (1,))
        for word in re.findall(rb"(?:[0-9a-fA-F]{2}[ :,]?){12,}", text):
            digits = re.sub(rb"[ :,]", b"", word)
            for start in range(2):
                yield binascii.unhexlify(digits[start : start + (len(digits) - start) // 2 * 2])
        for word in re.findall(rb"[A-Za-z2-7]{24,}", text):
            yield from _decoded(base64.b32decode, word.upper(), 8, (1, 3, 6))


def _decoded(decode, word: bytes, block: int, impossible: tuple[int, ...]) -> Iterator[bytes]:
    if len(word) % block in impossible:
        word = word[: -(len(word) % block)] if block == 8 else word[:-1]
    with contextlib.suppress(binascii.Error):
        yield decode(word + b"=" * (-len(word) % block))


def _unpacked(data: bytes) -> Iterator[bytes]:
    for start, unpack in _PACKED.items():
        at = data.find(start)
        while at >= 0:
            with contextlib.suppress(zlib.error, OSError, EOFError, lzma.LZMAError, ValueError):
                yield unpack(data[at:])
            at = data.find(start, at + 1)
    at = data.find(b"PK\x03\x04")
    if at >= 0:
        with contextlib.suppress(
            zipfile.BadZipFile, OSError, zlib.error, RuntimeError, NotImplementedError, ValueError
        ):
            archive = zipfile.ZipFile(io.BytesIO(data[at:]))
            yield from (name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def _turned(data: bytes, depth: int) -> Iterator[bytes]:
    if b"\0" in data:
        yield data.replace(b"\0", b"")  # two bytes for each letter
    if depth == 0 or len(data) < 100_000:
        yield data[::-1]
        yield codecs.encode(data.decode("latin-1"), "rot13").encode("latin-1")


def needles(mark: str, text: str) -> set[bytes]:
    """What shows that a marked text is there: the mark, or a digest of the text or of a line of it."""
    pieces = {text, text.strip(), mark, text.rstrip("\n") + "\n"}
    for line in (line for line in text.splitlines() if mark in line):
        value, field = line.split("=", 1)[-1], line.split(":", 1)[-1]
        pieces |= {line, f"{line}\n", line.strip(), value, value.strip(), field.strip()}
    digests = {hashlib.new(name, piece.encode()).hexdigest() for piece in pieces if mark in piece for name in DIGESTS}
    return {mark.encode()} | {digest[:size].encode() for digest in digests for size in (16, 128)}


class Haystack:
    """Everything that arrived at one sink."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._forms: list[bytes] | None = None

    def add(self, *data: bytes) -> None:
        """Put more into it."""
        self._data += data
        self._forms = None

    def holds(self, wanted: Iterable[bytes]) -> bool:
        """Whether one of the needles is in it."""
        if self._forms is None:
            self._forms = [form.lower() for data in self._data for form in forms(data)]
        return any(needle in form for form in self._forms for needle in wanted)
