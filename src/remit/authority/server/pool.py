"""Triples that were dealt and checked, in portions of which each serves one action.

The first server leads: it says when a block is fetched, and which portion an action takes. The second one gives out what it is
told, and nothing twice. Blocks have random numbers and live in memory only, so that none outlives a restart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.authority.shared.triples import Supply, Triples
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Iterator


_BLOCKS = 8  # that are kept at most


class Portion(NamedTuple):
    """The triples of one action: a block's number, and which part of it."""

    block: bytes
    place: int


class Pool:
    """The portions of one party for questions of one bucket."""

    def __init__(self, size: int) -> None:
        self.size = size  # bytes of a portion
        self._free: dict[Portion, Triples] = {}

    def __len__(self) -> int:
        return len(self._free)

    def __contains__(self, portion: Portion) -> bool:
        return portion in self._free

    def add(self, block: bytes, triples: Triples) -> None:
        """The portions of a checked block. What nobody asked for through many blocks was given up by the other server."""
        count = len(triples.a) // self.size
        while len(self._free) > (_BLOCKS - 1) * count:
            del self._free[next(iter(self._free))]
        for place in range(count):
            begin = place * self.size
            a, b, c = (part[begin : begin + self.size] for part in triples)
            self._free[Portion(block, place)] = Triples(a, b, c)

    def names(self) -> Iterator[Portion]:
        """What is there, oldest first."""
        return iter(self._free)

    def take(self, portion: Portion) -> Supply:
        """A portion, which is gone with that; AuthorityError if it is not there, or was taken before."""
        triples = self._free.pop(portion, None)
        if triples is None:
            raise AuthorityError("there are no triples for a computation", "see that the dealer runs")
        return Supply(triples)
