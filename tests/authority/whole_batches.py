"""Batches of point functions as wholes; the servers expand them in parts."""

import numpy as np

from remit.authority.dpf.blocks import BLOCK_BYTES
from remit.authority.dpf.expand import expanded
from remit.authority.dpf.keys import Batch


def expand(batch):
    """(keys, 2**domain / 8): the share of each key as packed bits, the first point in the lowest bit of the first byte."""
    count, depth = batch.seeds.shape[:2]
    out = np.empty((count, 1 << depth, BLOCK_BYTES), dtype=np.uint8)
    for chosen, leaves in expanded(batch):
        out[chosen] = leaves.transpose(1, 0, 2)
    return out.reshape(count, BLOCK_BYTES << depth)


def joined(batches):
    """Join batches of one party and domain."""
    parts = (np.concatenate(each) for each in zip(*(batch[2:] for batch in batches), strict=True))
    return Batch(batches[0].party, batches[0].domain, *parts)
