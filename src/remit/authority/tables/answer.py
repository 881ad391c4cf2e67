"""A server's share of the buckets that a batch of keys selects: the sum, bit by bit, of all rows whose bit is set.

Neighbouring rows are summed beforehand, for every choice among them: one look-up then stands for eight rows (or four, where
the sums of eight would not fit). Every row of the table is touched for every key, whatever the key is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.expand import expand
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.dpf.blocks import Words
    from remit.authority.dpf.keys import Batch
    from remit.authority.tables.cuckoo import Table

_LARGEST_OF_EIGHT = 17  # bits of a domain: sums of eight neighbours of a larger one would take more than 64 MB
_AT_ONCE = 1 << 18  # bytes of sums that are picked together


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
    if batch.domain != prepared.table.domain:
        raise AuthorityError("keys are for a table of another size", "ask with the servers' table sizes")
    chosen = expand(batch)
    if prepared.together == 4:
        chosen = np.stack((chosen & 15, chosen >> 4), axis=-1).reshape(len(chosen), 2 * chosen.shape[1])
    chosen = np.ascontiguousarray(
        chosen.T
    )  # groups outside, keys inside: sums of long rows are what the processor is good at
    first = (np.arange(len(chosen), dtype=np.intp) << prepared.together)[:, None]
    out = np.zeros(2 * chosen.shape[1], dtype=np.uint64)
    step = max(1, _AT_ONCE // (16 * max(1, chosen.shape[1])))
    for begin in range(0, len(chosen), step):
        picked = prepared.sums.take(first[begin : begin + step] + chosen[begin : begin + step])
        out ^= np.bitwise_xor.reduce(picked.view(np.uint64), axis=0)
    return out.reshape(-1, 2)
