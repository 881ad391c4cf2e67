"""Requests of platforms that were not heard, by channel and reason. Each is counted; of what may be an attack the log is told.

Whoever sends them has no signature that holds, so they cost the log little: of one channel and reason one record a minute, with how many
there were since the last one.
"""

from __future__ import annotations

from collections import Counter

_PAUSE = 60  # seconds between two records of the same
_ORDINARY = frozenset({"KIND", "OTHERS"})  # signed, and nothing that an agent is to hear
NO_CHANNEL = "NO_CHANNEL"  # the address names no channel


class Refusals:
    """What was refused since the gateway started."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self._told: dict[tuple[str, str], tuple[int, int]] = {}  # when the log was told, and how many there were then

    def note(self, channel: str, reason: str, now: int) -> int:
        """One more. How many the log is to be told of now; 0 if it is told later, or never."""
        key = channel, reason
        self.counts[key] += 1
        when, known = self._told.get(key, (now - _PAUSE, 0))
        if reason in _ORDINARY or now - when < _PAUSE:
            return 0
        self._told[key] = now, self.counts[key]
        return self.counts[key] - known
