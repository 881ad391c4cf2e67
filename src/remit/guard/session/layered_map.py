"""A mapping that is never changed, and that is cheap to add to: layers, of which a lower one is at least twice as large.

A lookup asks each layer, of which there are as many as the size has bits; an addition merges small layers into one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LayeredMap(Generic[K, V]):
    """Whoever holds one holds it as it is: `plus` gives another."""

    __slots__ = ("_layers", "size")

    def __init__(self, layers: tuple[Mapping[K, V], ...] = ()) -> None:
        self._layers = layers  # the newest first
        self.size = sum(map(len, layers))  # a key that is set again counts again

    def get(self, key: K) -> V | None:
        """What a key was last set to."""
        for layer in self._layers:
            found = layer.get(key)
            if found is not None:
                return found
        return None

    def __iter__(self) -> Iterator[K]:
        """Every key, once."""
        yield from dict.fromkeys(key for layer in self._layers for key in layer)

    def plus(self, more: Mapping[K, V]) -> LayeredMap[K, V]:
        """The same with more in it."""
        if not more:
            return self
        top = dict(more)
        rest = list(self._layers)
        while rest and len(rest[0]) < 2 * len(top):
            top = {**rest.pop(0), **top}
        return LayeredMap((top, *rest))
