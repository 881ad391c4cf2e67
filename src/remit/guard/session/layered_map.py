"""An immutable mapping that is cheap to add to: layers, each at least twice as large as the one above it.

A lookup searches each layer, and their number is logarithmic in the size; an addition merges small layers into one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LayeredMap(Generic[K, V]):
    """An immutable mapping; `plus` returns another one."""

    __slots__ = ("_layers", "size")

    def __init__(self, layers: tuple[Mapping[K, V], ...] = ()) -> None:
        self._layers = layers  # the newest first
        self.size = sum(map(len, layers))  # a key that is set again counts again

    def get(self, key: K) -> V | None:
        """Return the latest value of a key."""
        for layer in self._layers:
            found = layer.get(key)
            if found is not None:
                return found
        return None

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys, each once."""
        yield from dict.fromkeys(key for layer in self._layers for key in layer)

    def plus(self, more: Mapping[K, V]) -> LayeredMap[K, V]:
        """Return the mapping with more entries."""
        if not more:
            return self
        top = dict(more)
        rest = list(self._layers)
        while rest and len(rest[0]) < 2 * len(top):
            top = {**rest.pop(0), **top}
        return LayeredMap((top, *rest))
