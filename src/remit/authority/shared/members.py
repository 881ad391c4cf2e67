"""Shares of buckets to shares of "is a member".

A look-up has two places, and the value lies there if one of the buckets is its fingerprint: the difference of the two is zero
in all of its 128 bits. It is in at most one of them, so the sum of both answers is the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from remit.authority.shared.products import all_of, inverted

if TYPE_CHECKING:
    from remit.authority.dpf.blocks import Words
    from remit.authority.shared.products import Exchange, Party
    from remit.authority.shared.triples import Bits

WIDTH = 128  # bits of a fingerprint


def members(party: Party, differences: Words) -> Exchange:
    """Shares of one bit for each look-up, packed. `differences`: (look-ups, 2 places, 2 words) of bucket ^ fingerprint."""
    lanes = differences.reshape(-1, 2)
    bits = np.unpackbits(np.ascontiguousarray(lanes).view(np.uint8).reshape(len(lanes), 16), axis=1)
    rows = np.packbits(bits.T, axis=1)  # (128, lanes / 8): a row for each bit of the fingerprints
    equal = yield from all_of(party, inverted(party, rows))
    places = np.unpackbits(equal)[: len(lanes)].reshape(-1, 2)
    return np.packbits(places[:, 0] ^ places[:, 1])


def any_of(party: Party, bits: Bits, count: int) -> Exchange:
    """Shares, in the first bit, of whether one of the first `count` packed bits is set."""
    missing = _negated(party, np.unpackbits(bits)[:count])
    while len(missing) > 1:
        half = len(missing) // 2
        rows = np.packbits(missing[: 2 * half].reshape(2, half), axis=1)
        joined = yield from all_of(party, rows)
        missing = np.concatenate((np.unpackbits(joined)[:half], missing[2 * half :]))
    return np.packbits(_negated(party, missing))


def _negated(party: Party, bits: Bits) -> Bits:
    """Shares of not x, where each bit has a byte of its own."""
    return bits ^ np.uint8(party.number == 0)
