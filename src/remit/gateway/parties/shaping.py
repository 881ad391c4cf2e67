"""When questions leave, and which ones nobody asked.

Every question waits for the next slot of the clock, so that a server learns no time finer than that. Besides, questions are asked
that nobody asked: at random moments, in random sizes, and committed as often and as late as real ones. To one server they are
like any other. What shows is then the number of questions by slot and size, real and not, and which are committed when.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.question.layout import BUCKETS

if TYPE_CHECKING:
    import random


class Shaping(NamedTuple):
    """How questions are shaped."""

    slot: float = 0.005  # seconds; 0: they leave at once
    covers: float = 1.0  # questions a second that nobody asked
    committed: float = 0.8  # the share of these that is committed
    delay: float = 0.1  # seconds from a question that nobody asked to its commitment, on average
    larger: float = 0.2  # the share of these that is of the next larger bucket, and so on

    def wait(self, now: float) -> float:
        """Seconds until the next slot."""
        return math.ceil(now / self.slot) * self.slot - now if self.slot else 0.0


OPEN = Shaping(slot=0.0, covers=0.0)  # nothing is hidden but what is asked: for measuring what shaping hides and costs


class Cover(NamedTuple):
    """A question that nobody asked: after how long, in which bucket, and how long after that it is committed (-1: never)."""

    after: float
    bucket: int
    committed: float


def next_cover(shaping: Shaping, draw: random.Random) -> Cover:
    """The next one, drawn."""
    bucket = 0
    while bucket < len(BUCKETS) - 1 and draw.random() < shaping.larger:
        bucket += 1
    committed = draw.expovariate(1 / shaping.delay) if draw.random() < shaping.committed else -1.0
    return Cover(draw.expovariate(shaping.covers), bucket, committed)
