"""A server's share of the buckets that a batch of keys selects: the sum, bit by bit, of all rows whose bit is set.

Neighbouring rows are summed beforehand, for every choice among them: one look-up then stands for eight rows (or four, where
the sums of eight would not fit). Every row of the table is touched for every key, whatever the key is.
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
    from remit.authority.tables.cuckoo import Table

_LARGEST_OF_EIGHT = 17  # bits of a domain: sums of eight neighbours of a larger one would take more than 64 MB
_AT_ONCE = 1 << 18  # bytes of sums that are picked together
_NONE = np.zeros((0, 2), dtype=np.uint64)


class Prepared(NamedTuple):
    """A table with the sums of its neighbours. `sums`: (groups * choices,) of 16-byte values."""

    table: Table
    together: int  # rows in a group: 8 or 4
    sums: NDArray[np.complex128]  # never a number: numpy's type of 16 bytes, for picking a row in one move


def prepare(table: Table) -> Prepared:
    """The table, ready to be summed."""
    together = 8 if table.domain <= _LARGEST_OF_EIGHT else 4
    groups = table.rows.reshape(-1, together, 2)
    sums = np.zeros((len(groups), 1 << together, 2), dtype=np.uint64)
    for row in range(together):  # the sums with this row are those without it, and the row
        sums[:, 1 << row : 2 << row] = sums[:, : 1 << row] ^ groups[:, row, None]
    return Prepared(table, together, sums.reshape(-1, 2).view(np.complex128)[:, 0])


def answer(prepared: Prepared, batch: Batch) -> Words:
    """(keys, 2): the share of the bucket that each key selects."""
    return answers(((prepared, batch),))[0]


def answers(asked: Sequence[tuple[Prepared, Batch]]) -> list[Words]:
    """The same for several tables. Keys for tables of one size are expanded together: for few, the steps cost more than the work."""
    if any(batch.domain != prepared.table.domain for prepared, batch in asked):
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
    if prepared.together == 4:
        chosen = np.stack((chosen & 15, chosen >> 4), axis=2)
    chosen = chosen.reshape(-1, chosen.shape[-1])
    groups, keys = chosen.shape
    first = (np.arange(groups, dtype=np.intp) << prepared.together)[:, None]
    out = np.zeros(2 * keys, dtype=np.uint64)
    step = max(1, _AT_ONCE // (BLOCK_BYTES * keys))
    for begin in range(0, groups, step):
        picked = prepared.sums.take(first[begin : begin + step] + chosen[begin : begin + step])
        out ^= np.bitwise_xor.reduce(picked.view(np.uint64), axis=0)
    return out.reshape(-1, 2)
