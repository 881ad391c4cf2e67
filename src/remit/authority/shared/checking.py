"""Whether a block of triples is right: two of three are given up to see that the third is what it should be.

After the block was dealt, both parties draw a coin together. It orders and turns the words of the block; then each first word is
compared with two others: with d = a ^ x and e = b ^ y opened, c ^ z ^ x & e ^ d & y ^ d & e is zero if both triples are right, or
wrong in the same place. A dealer who spoils a bit must have spoiled the same bit of all three that the coin brings together: in a
block of n words the chance is below 1 / (32 n)**2.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Generator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from remit.authority.shared.triples import Triples
from remit.core.errors import AuthorityError

GIVEN_UP = 3  # triples that are dealt for one that is used
_WORD = 64
_COIN = 32
Checking: TypeAlias = Generator[bytes, bytes, Triples]
Words = NDArray[np.uint64]


def checked(party: int, dealt: Triples) -> Checking:
    """A third of the triples, the rest having been given up; AuthorityError if one was wrong."""
    coin = yield from _coin()
    a, b, c = _shuffled(coin, dealt)
    (a, x1, x2), (b, y1, y2), (c, z1, z2) = (part.reshape(GIVEN_UP, -1) for part in (a, b, c))
    mine = np.concatenate((a ^ x1, b ^ y1, a ^ x2, b ^ y2))
    opened = (mine ^ np.frombuffer((yield mine.tobytes()), dtype=np.uint64)).reshape(4, -1)
    rest = []
    for (d, e), x, y, z in zip(opened.reshape(2, 2, -1), (x1, x2), (y1, y2), (z1, z2), strict=True):
        rest.append(c ^ z ^ (x & e) ^ (d & y) ^ ((d & e) if party == 0 else np.uint64(0)))
    told = hashlib.sha256(b"remit/checked/v1\0" + np.concatenate(rest).tobytes()).digest()
    if (yield told) != told:  # the shares of zero are equal
        raise AuthorityError(
            "the dealer dealt triples that are wrong", "replace the dealer; nothing was computed with them"
        )
    return Triples(a.view(np.uint8), b.view(np.uint8), c.view(np.uint8))


def _coin() -> Generator[bytes, bytes, bytes]:
    """32 bytes that neither could choose: each binds itself to its part before it sees the other's."""
    mine = secrets.token_bytes(_COIN)
    bound = yield hashlib.sha256(b"remit/coin/v1\0" + mine).digest()
    theirs = yield mine
    if hashlib.sha256(b"remit/coin/v1\0" + theirs).digest() != bound:
        raise AuthorityError("the other policy server changed its part of a coin", "look at that server")
    return bytes(left ^ right for left, right in zip(mine, theirs, strict=True))


def _shuffled(coin: bytes, dealt: Triples) -> tuple[Words, Words, Words]:
    """The words of the block in the order of the coin, each turned by as many bits as it says."""
    draw = np.random.Generator(np.random.Philox(key=int.from_bytes(coin[:16], "big")))
    count = len(dealt.a) // 8
    order = draw.permutation(count)
    left = draw.integers(0, _WORD, count, dtype=np.uint64)
    right = (_WORD - left) % _WORD

    def turned(part: NDArray[np.uint8]) -> Words:
        words = part.view(np.uint64)[order]
        out: Words = (words << left) | (words >> right)
        return out

    a, b, c = (turned(part) for part in dealt)
    return a, b, c
