"""Counters that the processes of one daemon share in memory.

Each worker writes its own counters and reads all of them. They decide nothing: they limit, count, and show when the
daemon is idle.
"""

from __future__ import annotations

import mmap
import time

_DECIDED, _CONNECTIONS, _LAST, _READY, _CELLS = range(5)
_WIDTH = 8  # bytes of a number


class SharedCounters:
    """The counters of all workers, made before the first worker starts and shared with each."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.since = time.monotonic()
        self._cells = memoryview(mmap.mmap(-1, workers * _CELLS * _WIDTH)).cast("d")

    def clear(self, worker: int) -> None:
        """Reset a worker that starts or restarts: its connections are gone, its number of decisions continues."""
        at = worker * _CELLS
        self._cells[at + _CONNECTIONS] = self._cells[at + _READY] = 0
        self._cells[at + _LAST] = time.monotonic()

    def listens(self, worker: int) -> None:
        """Note that a worker takes questions."""
        self._cells[worker * _CELLS + _READY] = 1

    def asked(self, worker: int) -> None:
        """Note the time of a question."""
        self._cells[worker * _CELLS + _LAST] = time.monotonic()

    def decides(self, worker: int) -> None:
        """Count a decision."""
        self._cells[worker * _CELLS + _DECIDED] += 1

    def holds(self, worker: int, connections: int) -> None:
        """Set the number of a worker's connections."""
        self._cells[worker * _CELLS + _CONNECTIONS] = connections

    def all_listen(self) -> bool:
        """Whether every worker takes questions."""
        return all(self._cells[at + _READY] for at in self._slots())

    def decided(self) -> int:
        """The number of decisions of all workers."""
        return int(sum(self._cells[at + _DECIDED] for at in self._slots()))

    def connections(self) -> int:
        """The number of connections of all workers."""
        return int(sum(self._cells[at + _CONNECTIONS] for at in self._slots()))

    def last(self) -> float:
        """The time of the last question to any worker."""
        return max(self._cells[at + _LAST] for at in self._slots())

    def _slots(self) -> range:
        return range(0, self.workers * _CELLS, _CELLS)
