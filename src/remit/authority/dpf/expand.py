"""Expansion of a batch of keys to bit strings. Every point of the domain is computed for every key.

The work depends only on the number of keys and the size of the domain. No branch or look-up depends on a key, except that of
its correction or of zero, which lie side by side.

A node's control bit is the lowest bit of its block, so that one sum corrects both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from remit.authority.dpf.blocks import BLOCK_BYTES, Words, children, hashed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.dpf.keys import Batch

    Choices = NDArray[np.complex128]  # never a number: numpy's type of 16 bytes, for picking a block in one move

_ONE = np.uint64(1)
_NOT_CONTROL = ~_ONE
_AT_ONCE = 1 << 20  # bytes of leaves that are computed together, so that they stay in a processor's cache


def expanded(batch: Batch) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
    """Yield the shares in parts: the slice of keys, and (leaves, keys, 16 bytes of a leaf).

    The first point is in the lowest bit of the first byte.
    """
    count, depth = batch.seeds.shape[:2]
    step = max(1, _AT_ONCE // (BLOCK_BYTES << depth))
    for begin in range(0, count, step):
        chosen = slice(begin, begin + step)
        yield chosen, _leaves(batch, chosen)


def _leaves(batch: Batch, chosen: slice) -> NDArray[np.uint8]:
    state = batch.roots[chosen][None].copy()  # (nodes, keys, 2)
    state[..., 0] |= np.uint64(batch.party)
    count = state.shape[1]
    own = 2 * np.arange(count)  # where the choices of each key begin
    for left, right in _corrections(batch, chosen):
        picks = _picks(state, own)
        below = np.empty((len(state), 2, count, 2), dtype=np.uint64)
        own_left, own_right = children(state)
        np.bitwise_xor(own_left, _picked(left, picks), out=below[:, 0])
        np.bitwise_xor(own_right, _picked(right, picks), out=below[:, 1])
        state = below.reshape(-1, count, 2)
    picks = _picks(state, own)
    ends = hashed("leaf", state)
    last = np.zeros((count, 2, 2), dtype=np.uint64)
    last[:, 1] = batch.leaves[chosen]
    ends ^= _picked(last.view(np.complex128).reshape(-1), picks)
    return ends.view(np.uint8)


def _corrections(batch: Batch, chosen: slice) -> Choices:
    """(levels, side, 2 * keys): zero, and what is added to a left or right child, for each key: seed and control bit in one block."""
    seeds, bits = batch.seeds[chosen], batch.bits[chosen]
    out = np.zeros((seeds.shape[1], 2, len(seeds), 2, 2), dtype=np.uint64)
    added = out[:, :, :, 1]
    added[...] = seeds.transpose(1, 0, 2)[:, None]
    added[..., 0] &= _NOT_CONTROL
    added[..., 0] |= bits.transpose(1, 2, 0)
    return out.view(np.complex128).reshape(*out.shape[:2], 2 * len(seeds))


def _picks(state: Words, own: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of zero and correction each node takes: its control bit, which is taken off the block."""
    picks = (state[..., 0] & _ONE).view(np.int64)
    picks += own
    state[..., 0] &= _NOT_CONTROL
    return picks


def _picked(choices: Choices, picks: NDArray[np.int64]) -> Words:
    return choices.take(picks)[..., None].view(np.uint64)
