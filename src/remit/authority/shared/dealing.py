"""How triples are dealt: a block follows from two seeds, and one correction for the second party.

Party 0 has all of its shares from its seed. Party 1 has its shares of a and b from the other seed, and is told its share of c. The
dealer knows both and learns nothing of what they are used for. That c is a & b is not taken on trust: see `checking`.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.blocks import BLOCK_BYTES, stream
from remit.authority.shared.triples import Triples
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED_BYTES = 16


class Dealt(NamedTuple):
    """What one party is given of a block."""

    seed: bytes
    correction: bytes = b""  # party 1's share of c; empty for party 0


def deal(key: bytes, number: int, party: int, size: int) -> Dealt:
    """A party's part of block `number`, of `size` bytes of triples."""
    seeds = [_seed(key, number, each) for each in (0, 1)]
    if party == 0:
        return Dealt(seeds[0])
    a0, b0, c0 = _drawn(seeds[0], 3, size)
    a1, b1 = _drawn(seeds[1], 2, size)
    return Dealt(seeds[1], (((a0 ^ a1) & (b0 ^ b1)) ^ c0).tobytes())


def expanded(dealt: Dealt, size: int) -> Triples:
    """A party's triples."""
    if len(dealt.seed) != SEED_BYTES or len(dealt.correction) not in (0, size):
        raise AuthorityError("the dealer sent a block of another size", "use the dealer of this version")
    if dealt.correction:
        a, b = _drawn(dealt.seed, 2, size)
        return Triples(a, b, np.frombuffer(dealt.correction, dtype=np.uint8))
    a, b, c = _drawn(dealt.seed, 3, size)
    return Triples(a, b, c)


def _drawn(seed: bytes, parts: int, size: int) -> NDArray[np.uint8]:
    blocks = stream(seed, (parts * size + BLOCK_BYTES - 1) // BLOCK_BYTES)
    return blocks.view(np.uint8).reshape(-1)[: parts * size].reshape(parts, size)


def _seed(key: bytes, number: int, party: int) -> bytes:
    told = b"remit/triples/v1\0" + number.to_bytes(16, "big") + bytes((party,))
    return hmac.new(key, told, hashlib.sha256).digest()[:SEED_BYTES]
