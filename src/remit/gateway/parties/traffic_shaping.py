"""Timing of questions, and cover questions.

Every question waits for the next time slot, so that a server learns no finer time. Cover questions are sent at random
moments in random sizes, and repeated as often and as late as real actions are committed after their preview: the pauses
are drawn from measured ones. To one server they look like any other question.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.question.layout import BUCKETS

if TYPE_CHECKING:
    import random


_REMEMBERED = 256
_GIVEN_UP = 300.0  # seconds after which a preview counts as never committed
_GUESSED = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, -1.0)  # seconds: typical pauses of programs and of models


class Shaping(NamedTuple):
    """Parameters of timing and cover questions."""

    slot: float = 0.005  # seconds; 0: questions leave at once
    covers: float = 1.0  # cover questions a second
    larger: float = 0.2  # the share of covers in the next larger bucket, and so on

    def wait(self, now: float) -> float:
        """Return the seconds until the next slot."""
        return math.ceil(now / self.slot) * self.slot - now if self.slot else 0.0


OPEN = Shaping(slot=0.0, covers=0.0)  # only contents are hidden: to measure what shaping hides and costs


class Pauses:
    """The latest pauses between preview and commit; -1 for previews never committed. Starts with guesses of both."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(_GUESSED, maxlen=_REMEMBERED)
        self._open: dict[str, float] = {}

    def note(self, action_id: str, now: float) -> None:
        """Record a look-up for an action: the first is its preview, the second its commit."""
        begun = self._open.pop(action_id, None)
        if begun is not None:
            self._last.append(now - begun)
            return
        self._open[action_id] = now
        while (oldest := next(iter(self._open))) and now - self._open[oldest] > _GIVEN_UP:
            del self._open[oldest]
            self._last.append(-1.0)

    def drawn(self, draw: random.Random) -> float:
        """Return a random one of the pauses."""
        return draw.choice(self._last)


class Cover(NamedTuple):
    """A cover question: seconds until it is sent, its bucket, and seconds until it is repeated (-1: never)."""

    after: float
    bucket: int
    again: float


def next_cover(shaping: Shaping, pauses: Pauses, draw: random.Random) -> Cover:
    """Draw the next cover question."""
    bucket = 0
    while bucket < len(BUCKETS) - 1 and draw.random() < shaping.larger:
        bucket += 1
    return Cover(draw.expovariate(shaping.covers), bucket, pauses.drawn(draw))
