"""A server's share of the buckets that a batch of keys selects: the sum, bit by bit, of all rows whose bit is set.

Neighbouring rows are summed beforehand, for every choice among them: one look-up then stands for eight rows (or for four or two,
where more sums would not fit). Every row of the table is touched for every key, whatever the key is.

A row is 32 bytes: a fingerprint of 16, and two tags of 8 that its holder cannot make (`tags`). Zeros stand for no fingerprint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.blocks import BLOCK_BYTES
from remit.authority.dpf.expand import expanded
from remit.authority.dpf.keys import joined
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from remit.authority.dpf.blocks import Words
    from remit.authority.dpf.keys import Batch

WORDS = 4  # of 64 bits in a row: two of the fingerprint, the tag for the gateway, the tag for the executor
ROW_BYTES = 8 * WORDS
_TOGETHER = (
    (16, 8),
    (20, 4),
    (24, 2),
)  # up to so many bits of a domain, so many neighbours: the sums take at most 1 GB
_AT_ONCE = 1 << 18  # bytes of sums that are picked together
_NONE = np.zeros((0, WORDS), dtype=np.uint64)


class Prepared(NamedTuple):
    """A table with the sums of its neighbours: (groups * choices, words)."""

    domain: int  # bits
    together: int  # rows in a group
    sums: Words


def prepare(rows: Words) -> Prepared:
    """The rows of a table, ready to be summed."""
    domain = len(rows).bit_length() - 1
    together = next(together for most, together in _TOGETHER if domain <= most)
    groups = rows.reshape(-1, together, WORDS)
    sums = np.zeros((len(groups), 1 << together, WORDS), dtype=np.uint64)
    for row in range(together):  # the sums with this row are those without it, and the row
        sums[:, 1 << row : 2 << row] = sums[:, : 1 << row] ^ groups[:, row, None]
    return Prepared(domain, together, sums.reshape(-1, WORDS))


def answer(prepared: Prepared, batch: Batch) -> Words:
    """(keys, words): the share of the row that each key selects."""
    return answers(((prepared, batch),))[0]


def answers(asked: Sequence[tuple[Prepared, Batch]]) -> list[Words]:
    """The same for several tables. Keys for tables of one size are expanded together: for few, the steps cost more than the work."""
    if any(batch.domain != prepared.domain for prepared, batch in asked):
        raise AuthorityError("keys are for a table of another size", "ask with the servers' table sizes")
    out: list[Words] = [_NONE] * len(asked)
    for domain in {batch.domain for _, batch in asked}:
        places = [place for place, (_, batch) in enumerate(asked) if batch.domain == domain]
        chosen = _chosen(joined([asked[place][1] for place in places]))
        begin = 0
        for place in places:
            prepared, batch = asked[place]
            out[place] = _summed(prepared, chosen[..., begin : begin + len(batch.roots)])
            begin += len(batch.roots)
    return out


def _chosen(batch: Batch) -> NDArray[np.uint8]:
    """(leaves, 16, keys): which rows each key takes."""
    keys, depth = batch.seeds.shape[:2]
    chosen = np.empty((1 << depth, BLOCK_BYTES, keys), dtype=np.uint8)
    for some, leaves in expanded(batch):
        chosen[..., some] = leaves.transpose(0, 2, 1)
    return chosen


def _summed(prepared: Prepared, chosen: NDArray[np.uint8]) -> Words:
    """The sums. Groups outside, keys inside: all keys pick from the sums of a group while these lie in the cache."""
    if not chosen.shape[2]:
        return _NONE
    parts = 8 // prepared.together  # of a byte of choices
    if parts > 1:
        shifts = np.arange(parts, dtype=np.uint8)[:, None] * np.uint8(prepared.together)
        chosen = (chosen[:, :, None] >> shifts) & np.uint8((1 << prepared.together) - 1)
    chosen = chosen.reshape(-1, chosen.shape[-1])
    groups, keys = chosen.shape
    first = (np.arange(groups, dtype=np.intp) << prepared.together)[:, None]
    out = np.zeros((keys, WORDS), dtype=np.uint64)
    step = max(1, _AT_ONCE // (ROW_BYTES * keys))
    for begin in range(0, groups, step):
        picked = prepared.sums.take(first[begin : begin + step] + chosen[begin : begin + step], axis=0)
        out ^= np.bitwise_xor.reduce(picked, axis=0)
    return out
