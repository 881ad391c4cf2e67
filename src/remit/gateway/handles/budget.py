"""Budget of a channel: how many items and bytes may be shown in a session.

Reserved budget stays spent, whatever happens.
"""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The budget of a channel."""

    items: int = 16
    size: int = 4096


class Spent(NamedTuple):
    """The used part of a channel's budget."""

    items: int = 0
    size: int = 0


def spend(spent: Spent, limits: Limits, size: int) -> Spent | None:
    """Return the use after one more item of this size; None if that exceeds the limits."""
    after = Spent(spent.items + 1, spent.size + size)
    return after if after.items <= limits.items and after.size <= limits.size else None
