"""A batch of keys to its bit strings: every point of the domain is computed for every key, whatever the key is.

The work depends on the number of keys and the size of the domain alone: neither branches nor look-ups hang on a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from remit.authority.dpf.blocks import BLOCK_BYTES, Words, hashed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.dpf.keys import Batch

_ONE = np.uint64(1)
_NOT_CONTROL = ~_ONE
_AT_ONCE = 1 << 18  # bytes of leaves that are computed together, so that they stay in a processor's cache


def expand(batch: Batch) -> NDArray[np.uint8]:
    """(keys, 2**domain / 8): the share of each key as packed bits, the first point in the lowest bit of the first byte."""
    count, depth = batch.seeds.shape[:2]
    width = BLOCK_BYTES << depth
    out = np.empty((count, width), dtype=np.uint8)
    step = max(1, _AT_ONCE // width)
    for begin in range(0, count, step):
        chosen = slice(begin, begin + step)
        out[chosen] = _leaves(batch, chosen).reshape(-1, width)
    return out


def _leaves(batch: Batch, chosen: slice) -> NDArray[np.uint8]:
    state = batch.roots[chosen][:, None]  # (keys, nodes, 2)
    control: Words = np.full((len(state), 1), np.uint64(batch.party))
    seeds, bits = batch.seeds[chosen], batch.bits[chosen].astype(np.uint64)
    for level in range(seeds.shape[1]):
        mask = np.negative(control)  # all ones where the control bit is set
        count, nodes = control.shape
        correction = seeds[:, level, None] & mask[..., None]
        below = np.empty((count, nodes, 2, 2), dtype=np.uint64)  # the last axes: side, word
        turns = np.empty((count, nodes, 2), dtype=np.uint64)
        for side, name in enumerate(("left", "right")):
            child = hashed(name, state)
            turns[..., side] = (child[..., 0] & _ONE) ^ (bits[:, level, side, None] & mask)
            child ^= correction
            child[..., 0] &= _NOT_CONTROL
            below[..., side, :] = child
        state, control = below.reshape(count, 2 * nodes, 2), turns.reshape(count, 2 * nodes)
    ends: Words = hashed("leaf", state)
    ends ^= batch.leaves[chosen][:, None] & np.negative(control)[..., None]
    return ends.view(np.uint8)
