"""Secret values that are tracked: kept only as keyed hashes, and found again in a text, however it wraps or encodes
them.

A value is known by the hash of its first eight characters and the hash of the whole. At every position of an outgoing
text the first hash is looked up; only if it is known is the second computed. The text is searched in all of its views
(core/text_views.py), without blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from remit.core.text_views import views
from remit.guard.session.layered_map import LayeredMap

if TYPE_CHECKING:
    from remit.guard.session.provenance import Source

WIDTH = 8  # characters: shorter values are not tracked, because they would be found everywhere
MOST = 20_000  # values
_ALIKE = 200  # values with the same beginning
_CUT = 20  # characters of a value whose pieces are tracked too
_PIECE, _STRIDE = 12, 4  # a piece of at least fifteen characters holds one
_BLANKS = re.compile(r"\s+")
_ASSIGNED = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?["']?[\w.-]{1,80}["']?[ \t]*[=:][ \t]*["']?([^\s"',;]+)""", re.MULTILINE
)
_OPAQUE = re.compile(r"[A-Za-z0-9+/_=.~-]{16,}")
_PLAIN_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^@\s]*\Z", re.IGNORECASE)
_LINE = 24  # characters of a line that is tracked as a whole


class Entry(NamedTuple):
    """The rest of what is known of a value."""

    length: int
    whole: bytes
    source: Source


class FollowedValues(NamedTuple):
    """All tracked values."""

    key: bytes
    entries: LayeredMap[bytes, tuple[Entry, ...]] = LayeredMap()
    sieve: bytes = bytes(8192)  # a bit for each value of a cheap 16-bit hash: most positions of a text are skipped
    held: int = 0
    full: bool = False  # more was read than can be tracked


class FoundValue(NamedTuple):
    """What was found in a text."""

    sources: tuple[Source, ...]
    complete: bool  # False: the text is too large to be searched


def values_of(text: str, *, secret: bool) -> Iterator[str]:
    """Return the values of a text to track.

    In a secret: what is assigned to a name, and long runs without blanks. In what only one skill may read: long runs,
    and whole lines.
    """
    for found in _OPAQUE.finditer(text):
        if is_opaque(found[0]):
            yield found[0].strip("=")
    if secret:
        for found in _ASSIGNED.finditer(text):
            if len(found[1]) >= WIDTH and not _PLAIN_URL.match(found[1]):
                yield found[1]
        if len(text.split()) == 1 and len(text.strip()) >= WIDTH:
            yield text.strip()  # the secret itself, as a store returns it
    else:
        for line in text.splitlines():
            if len(squeezed := "".join(line.split())) >= _LINE:
                yield squeezed


def pieces_of(values: Iterable[str]) -> Iterator[str]:
    """Return pieces of long opaque values: a value that is cut up still contains one of them, unless all its parts are
    short.
    """
    for value in values:
        if len(value) >= _CUT and is_opaque(value):
            parts = (value[at : at + _PIECE] for at in range(0, len(value) - _PIECE + 1, _STRIDE))
            yield from (part for part in parts if is_opaque(part))


def is_opaque(word: str) -> bool:
    """Whether a long word looks random, unlike a word, a path or a name: it mixes digits and letters."""
    letters = sum(char.isalpha() for char in word)
    digits = sum(char.isdigit() for char in word)
    if not letters or not digits or word.count("/") > 2 or word.count(".") > 2:
        return False
    return digits * 12 >= len(word) or (any(map(str.isupper, word)) and any(map(str.islower, word)) and len(word) >= 20)


def follow(followed: FollowedValues, values: Iterable[str], source: Source) -> FollowedValues:
    """Return the tracked values with more values added."""
    new: dict[bytes, tuple[Entry, ...]] = {}
    sieve = bytearray(followed.sieve)
    held, full = followed.held, followed.full
    for value in dict.fromkeys(values):
        data = value.encode("utf-8", "surrogatepass")
        if len(data) < WIDTH:
            continue
        head = data[:WIDTH]
        anchor = _hash(followed.key, head)
        known = new.get(anchor) or followed.entries.get(anchor) or ()
        entry = Entry(len(data), _hash(followed.key, data), source)
        if entry in known:
            continue
        if held >= MOST or len(known) >= _ALIKE:
            full = True
            break
        new[anchor] = (*known, entry)
        cheap = crc32(head, _seed(followed.key)) & 0xFFFF
        sieve[cheap >> 3] |= 1 << (cheap & 7)
        held += 1
    return FollowedValues(followed.key, followed.entries.plus(new), bytes(sieve), held, full)


def find(followed: FollowedValues, text: str) -> FoundValue:
    """Return the sources whose values a text contains, in any of the encodings."""
    if not followed.entries.size:
        return FoundValue((), complete=True)
    sources: dict[Source, None] = {}
    every = views(text)
    for solid in dict.fromkeys(_BLANKS.sub("", view) for view in every.texts):
        sources |= dict.fromkeys(_in_bytes(followed, solid.encode("utf-8", "surrogatepass")))
    return FoundValue(tuple(sources), every.complete)


def _in_bytes(followed: FollowedValues, data: bytes) -> Iterator[Source]:
    sieve, seed = followed.sieve, _seed(followed.key)
    for at in range(len(data) - WIDTH + 1):
        head = data[at : at + WIDTH]
        cheap = crc32(head, seed) & 0xFFFF
        if not sieve[cheap >> 3] & (1 << (cheap & 7)):
            continue
        for entry in followed.entries.get(_hash(followed.key, head)) or ():
            value = data[at : at + entry.length]
            if len(value) == entry.length and _hash(followed.key, value) == entry.whole:
                yield entry.source


def _seed(key: bytes) -> int:
    return int.from_bytes(key[:4], "big")


def _hash(key: bytes, data: bytes) -> bytes:
    return blake2b(data, key=key[:64], digest_size=16).digest()
