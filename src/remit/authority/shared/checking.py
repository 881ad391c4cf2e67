"""Whether a block of triples is right: a few are opened, and three of four are given up to see that the fourth is what it should be.

After the block was dealt, both parties draw a coin together, and it orders the words of the block. The first few are opened: each
c must be a & b. The rest is brought together in fours, and the first of a four is compared with the three others: with d = a ^ x
and e = b ^ y opened, c ^ z ^ x & e ^ d & y ^ d & e is zero if both triples are right, or wrong in the same bits.

So a dealer who spoils words escapes only if the coin opens none of them and brings them together, four by four: for k fours of the
m in a block of n words, with the chance (m over k) / (n over 4 k), which is largest for k = 1 and there below 6 / (n - 3)**3. (To
spoil everything is k = m; that is why some are opened: comparisons alone would find all of them wrong alike.)
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

_GROUP = 4  # triples that are dealt for one that is used
_OPENED = 8  # words that are opened
_WORD_BYTES = 8
_COIN = 32
Checking: TypeAlias = Generator[bytes, bytes, Triples]
Words = NDArray[np.uint64]


def dealt_for(size: int) -> int:
    """The bytes of triples to be dealt for `size` bytes of checked ones; both are whole words."""
    return _GROUP * size + _OPENED * _WORD_BYTES


def checked(party: int, dealt: Triples) -> Checking:
    """The triples that are left of a block; AuthorityError if one was wrong."""
    coin = yield from _coin()
    a, b, c = _shuffled(coin, dealt)
    shown = np.stack((a[:_OPENED], b[:_OPENED], c[:_OPENED]))
    left, right, both = shown ^ _heard((yield shown.tobytes()), shown)
    if np.any((left & right) ^ both):
        raise _wrong()
    (a, *xs), (b, *ys), (c, *zs) = (part[_OPENED:].reshape(_GROUP, -1) for part in (a, b, c))
    mine = np.stack([a ^ x for x in xs] + [b ^ y for y in ys])
    ds, es = (mine ^ _heard((yield mine.tobytes()), mine)).reshape(2, len(xs), -1)
    rest = hashlib.sha256(b"remit/checked/v1\0")
    for d, e, x, y, z in zip(ds, es, xs, ys, zs, strict=True):
        share = c ^ z ^ (x & e) ^ (d & y)
        rest.update(share ^ (d & e) if party == 0 else share)
    told = rest.digest()
    if (yield told) != told:  # the shares of zero are equal
        raise _wrong()
    return Triples(a.view(np.uint8), b.view(np.uint8), c.view(np.uint8))


def _coin() -> Generator[bytes, bytes, bytes]:
    """32 bytes that neither could choose: each binds itself to its part before it sees the other's."""
    mine = secrets.token_bytes(_COIN)
    bound = yield hashlib.sha256(b"remit/coin/v1\0" + mine).digest()
    theirs = yield mine
    if len(theirs) != _COIN or hashlib.sha256(b"remit/coin/v1\0" + theirs).digest() != bound:
        raise AuthorityError("the other policy server changed its part of a coin", "look at that server")
    return bytes(left ^ right for left, right in zip(mine, theirs, strict=True))


def _shuffled(coin: bytes, dealt: Triples) -> tuple[Words, Words, Words]:
    """The words of the block in the order of the coin."""
    draw = np.random.Generator(np.random.Philox(key=int.from_bytes(coin[:16], "big")))
    order = draw.permutation(len(dealt.a) // _WORD_BYTES)
    a, b, c = (part.view(np.uint64)[order] for part in dealt)
    return a, b, c


def _heard(told: bytes, mine: Words) -> Words:
    """What the other party said, which has the size of what it was told."""
    if len(told) != mine.nbytes:
        raise AuthorityError("the other policy server sent a message of another size", "let both run the same program")
    return np.frombuffer(told, dtype=np.uint64).reshape(mine.shape)


def _wrong() -> AuthorityError:
    return AuthorityError(
        "the dealer dealt triples that are wrong", "replace the dealer; nothing was computed with them"
    )
