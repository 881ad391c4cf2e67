"""Triples: random bits a, b and c = a & b, shared between the two parties, one for each product, each used once.

Whoever deals them learns nothing of what is computed. They come in blocks that both parties name alike; a block is opened by
one computation and what it leaves over is thrown away, so that no crash leads to a second use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remit.core.errors import AuthorityError

Bits = NDArray[np.uint8]  # eight bits to a byte


class Triples(NamedTuple):
    """A party's shares; the three have the same length."""

    a: Bits
    b: Bits
    c: Bits


class Supply:
    """The triples of one computation, handed out from the front."""

    def __init__(self, triples: Triples) -> None:
        self._triples = triples
        self._used = 0

    def take(self, size: int) -> Triples:
        """The next `size` bytes of triples; AuthorityError if there are not so many."""
        begin, self._used = self._used, self._used + size
        if self._used > len(self._triples.a):
            raise AuthorityError(
                "a computation needs more triples than its block has", "let the dealer deal larger blocks"
            )
        return Triples(*(part[begin : self._used] for part in self._triples))
