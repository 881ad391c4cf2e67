"""How much may be shown to a channel: items, and bytes of them, in one session. What was promised is spent, whatever becomes of it."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """What a channel has."""

    items: int = 16
    size: int = 4096


class Spent(NamedTuple):
    """What a channel has used."""

    items: int = 0
    size: int = 0


def spend(spent: Spent, limits: Limits, size: int) -> Spent | None:
    """What is used with one more item of so many bytes; None if that is too much."""
    after = Spent(spent.items + 1, spent.size + size)
    return after if after.items <= limits.items and after.size <= limits.size else None
