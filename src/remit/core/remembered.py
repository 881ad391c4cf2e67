"""Facts about frozen values, worked out once for each value and found again by its identity: comparing or hashing all of it would cost more.

The value is held as long as the fact is, so that no other one can come to have its identity.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Fact = TypeVar("Fact")
_MOST = 1024


class Facts(Generic[Fact]):
    """What is known of values that never change. `beside` is what else a fact hangs on."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: dict[tuple[int, Hashable], tuple[object, Fact]] = {}

    def get(self, value: object, beside: Hashable = None) -> Fact | None:
        """The fact; None if it was not worked out yet."""
        found = self._known.get((id(value), beside))
        return found[1] if found is not None and found[0] is value else None

    def put(self, value: object, fact: Fact, beside: Hashable = None) -> Fact:
        """Remember a fact; past so many, all are worked out anew."""
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[id(value), beside] = value, fact
        return fact
