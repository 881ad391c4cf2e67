"""A batch of keys over one domain, generated together, level by level for all points at once.

A key is a root block and, for each level of the tree, a correction of the seed and of the two control bits, with a last
correction for the leaf. Both keys of a point share the corrections. A seed and the points determine the batch: a party that
has both can recompute and compare it, so that malformed keys are detected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf import LARGEST, SMALLEST
from remit.authority.dpf.blocks import BLOCK_BYTES, LEAF_BITS, Words, children, hashed, stream
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAF_LOG = 7
_ONE = np.uint64(1)
_NOT_CONTROL = ~_ONE


class Batch(NamedTuple):
    """The keys of one party. `roots`, `leaves`: (keys, 2); `seeds`: (keys, levels, 2); `bits`: (keys, levels, 2) of 0 or 1."""

    party: int
    domain: int
    roots: Words
    seeds: Words
    bits: NDArray[np.uint8]
    leaves: Words

    def to_bytes(self) -> bytes:
        """Return corrections and roots one after another. The reader must know party, domain and number of keys."""
        parts = (self.roots, self.seeds, self.leaves)
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts) + np.packbits(self.bits).tobytes()


def levels(domain: int) -> int:
    """Return how many times the root divides before a leaf; AuthorityError if there are no tables of this size."""
    if not SMALLEST <= domain <= LARGEST:
        raise AuthorityError(f"a domain has {SMALLEST} to {LARGEST} bits, not {domain}", "choose another table size")
    return domain - _LEAF_LOG


def size_of(domain: int, count: int) -> int:
    """Return the number of bytes of a written batch."""
    depth = levels(domain)
    return count * BLOCK_BYTES * (2 + depth) + (count * depth * 2 + 7) // 8


def read_batch(data: bytes, party: int, domain: int, count: int) -> Batch:
    """Read a batch; AuthorityError if the number of bytes is wrong."""
    depth = levels(domain)
    if len(data) != size_of(domain, count):
        raise AuthorityError(
            "the keys of a look-up do not have the size of their table", "ask with the servers' table sizes"
        )
    rest = memoryview(data)

    def blocks(*shape: int) -> Words:
        nonlocal rest
        length = int(np.prod(shape)) * 8
        taken, rest = rest[:length], rest[length:]
        return np.frombuffer(taken, dtype="<u8").reshape(shape)

    roots, seeds, leaves = blocks(count, 2), blocks(count, depth, 2), blocks(count, 2)
    bits = np.unpackbits(np.frombuffer(rest, dtype=np.uint8))
    return Batch(party, domain, roots, seeds, bits[: count * depth * 2].reshape(count, depth, 2), leaves)


def make_all(domain: int, wanted: Sequence[tuple[bytes, NDArray[np.int64]]]) -> list[tuple[Batch, Batch]]:
    """Make batches for several seeds, each with its points. One pass is cheaper, since for few points the overhead
    dominates.
    """
    depth, points = levels(domain), np.concatenate([each for _, each in wanted])
    count = len(points)
    if count and (int(points.min()) < 0 or int(points.max()) >= 1 << domain):
        raise AuthorityError("a point lies outside of its table", "compute it modulo the table's size")
    roots = np.concatenate([stream(seed, 2 * len(each)).reshape(2, -1, 2) for seed, each in wanted], axis=1)
    roots[..., 0] &= _NOT_CONTROL
    state = roots.copy()  # (party, keys, 2): the blocks on the way to the point, with their control bits as in `expand`
    state[1, :, 0] |= _ONE
    seeds = np.empty((count, depth, 2), dtype=np.uint64)
    bits = np.empty((count, depth, 2), dtype=np.uint8)
    right = ((points >> (domain - 1 - np.arange(depth))[:, None]) & 1).astype(
        np.bool_
    )  # (level, keys): the way goes right
    flips = np.stack((~right, right), axis=1).astype(np.uint64)  # (level, side, keys)
    for level, (turn, flip) in enumerate(zip(right[:, :, None], flips, strict=True)):
        control = state[..., :1] & _ONE
        state[..., 0] &= _NOT_CONTROL
        below = children(state)  # (side, party, keys, 2)
        sums = below[:, 0] ^ below[:, 1]
        sums[..., 0] ^= flip
        seed = np.where(turn, sums[0], sums[1])  # the side that is not taken must become equal
        seed[:, 0] &= _NOT_CONTROL
        seeds[:, level], both = seed, sums[..., 0] & _ONE
        bits[:, level] = both.T
        seed[:, 0] |= np.where(turn[:, 0], both[1], both[0])
        state = np.where(turn, below[1], below[0]) ^ seed * control
    state[..., 0] &= _NOT_CONTROL
    ends = hashed("leaf", state)
    place = points % LEAF_BITS
    leaves = ends[0] ^ ends[1]
    leaves[np.arange(count), place // 64] ^= _ONE << (place % 64).astype(np.uint64)
    ends_at = np.cumsum([len(each) for _, each in wanted])
    slices = [slice(end - len(each), end) for end, (_, each) in zip(ends_at, wanted, strict=True)]
    return [
        (
            Batch(0, domain, roots[0, some], seeds[some], bits[some], leaves[some]),
            Batch(1, domain, roots[1, some], seeds[some], bits[some], leaves[some]),
        )
        for some in slices
    ]
