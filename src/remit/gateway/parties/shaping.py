"""When questions leave, and which ones nobody asked.

Every question waits for the next slot of the clock, so that a server learns no time finer than that. Besides, questions are asked
that nobody asked: at random moments, in random sizes, and asked again as often and as late as real actions are committed after their
preview: the pauses are drawn from those that were measured. To one server they are like any other.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.question.layout import BUCKETS

if TYPE_CHECKING:
    import random


_REMEMBERED = 256
_GIVEN_UP = 300.0  # seconds after which a preview counts as one that is not committed
_GUESSED = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, -1.0)  # seconds: of programs and of models


class Shaping(NamedTuple):
    """How questions are shaped."""

    slot: float = 0.005  # seconds; 0: they leave at once
    covers: float = 1.0  # questions a second that nobody asked
    larger: float = 0.2  # the share of these that is of the next larger bucket, and so on

    def wait(self, now: float) -> float:
        """Seconds until the next slot."""
        return math.ceil(now / self.slot) * self.slot - now if self.slot else 0.0


OPEN = Shaping(slot=0.0, covers=0.0)  # nothing is hidden but what is asked: for measuring what shaping hides and costs


class Pauses:
    """How long after its preview an action was committed, of the last ones; -1: never. Before there are any, a guess of both kinds."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(_GUESSED, maxlen=_REMEMBERED)
        self._open: dict[str, float] = {}

    def note(self, action_id: str, now: float) -> None:
        """A look-up for an action: the first is its preview, the second its commit."""
        begun = self._open.pop(action_id, None)
        if begun is not None:
            self._last.append(now - begun)
            return
        self._open[action_id] = now
        while (oldest := next(iter(self._open))) and now - self._open[oldest] > _GIVEN_UP:
            del self._open[oldest]
            self._last.append(-1.0)

    def drawn(self, draw: random.Random) -> float:
        """One of them."""
        return draw.choice(self._last)


class Cover(NamedTuple):
    """A question that nobody asked: after how long, in which bucket, and how long after that it is asked again (-1: never)."""

    after: float
    bucket: int
    again: float


def next_cover(shaping: Shaping, pauses: Pauses, draw: random.Random) -> Cover:
    """The next one, drawn."""
    bucket = 0
    while bucket < len(BUCKETS) - 1 and draw.random() < shaping.larger:
        bucket += 1
    return Cover(draw.expovariate(shaping.covers), bucket, pauses.drawn(draw))
