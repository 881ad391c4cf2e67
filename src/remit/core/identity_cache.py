"""Cache of facts about immutable values, keyed by identity, because comparing or hashing the values would cost more.

A value is kept alive as long as its fact, so that no other value can get its identity.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Fact = TypeVar("Fact")
_MOST = 1024


class Facts(Generic[Fact]):
    """Facts about immutable values. `beside` is what else a fact depends on."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: dict[tuple[int, Hashable], tuple[object, Fact]] = {}

    def get(self, value: object, beside: Hashable = None) -> Fact | None:
        """Return the fact; None if it is not cached."""
        found = self._known.get((id(value), beside))
        return found[1] if found is not None and found[0] is value else None

    def put(self, value: object, fact: Fact, beside: Hashable = None) -> Fact:
        """Cache a fact; above a limit, the cache is cleared."""
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[id(value), beside] = value, fact
        return fact
