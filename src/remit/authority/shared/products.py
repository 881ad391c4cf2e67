"""The product of many shared bits at once: one exchange of two bits each.

With a triple (a, b, c = a & b), the parties open x ^ a and y ^ b, which are random to both, and have
x & y = c ^ (x ^ a) & b ^ (y ^ b) & a ^ (x ^ a) & (y ^ b); the last term is added by one of them.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from remit.authority.shared.triples import Bits
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.shared.triples import Supply

Exchange: TypeAlias = Generator[bytes, bytes, Bits]  # yields what the other party is told, is sent what it said


class Party(NamedTuple):
    """One of the two in one computation."""

    number: int  # 0 or 1
    supply: Supply


def product(party: Party, x: Bits, y: Bits) -> Exchange:
    """Shares of x & y, bit by bit. Both have the same shape."""
    a, b, c = (part.reshape(x.shape) for part in party.supply.take(x.size))
    mine = np.concatenate((x ^ a, y ^ b), axis=None)
    told = yield mine.tobytes()
    if len(told) != mine.size:
        raise AuthorityError("the other policy server sent a message of another size", "let both run the same program")
    opened = mine ^ np.frombuffer(told, dtype=np.uint8)
    d, e = opened[: x.size].reshape(x.shape), opened[x.size :].reshape(x.shape)
    share: Bits = c ^ (d & b) ^ (e & a)
    if party.number == 0:
        share ^= d & e
    return share


def inverted(party: Party, x: Bits) -> Bits:
    """Shares of not x: one of the two turns its share over."""
    return ~x if party.number == 0 else x


def all_of(party: Party, rows: Bits) -> Exchange:
    """Shares of the product of all rows of a matrix (rows, bytes): pairs of rows, until one is left."""
    while len(rows) > 1:
        half = len(rows) // 2
        joined = yield from product(party, rows[:half], rows[half : 2 * half])
        rows = np.concatenate((joined, rows[2 * half :]))
    last: Bits = rows[0]
    return last
