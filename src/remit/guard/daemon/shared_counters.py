"""What the processes of one daemon know of each other without asking: a few numbers in memory that they share.

Each worker writes its own and reads those of all. None of them decides anything: they bound, count, and say when a daemon is idle.
"""

from __future__ import annotations

import mmap
import time

_DECIDED, _CONNECTIONS, _LAST, _READY, _CELLS = range(5)
_WIDTH = 8  # bytes of a number


class SharedCounters:
    """The numbers of all workers. It is made before the first of them, and goes on in each."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.since = time.monotonic()
        self._cells = memoryview(mmap.mmap(-1, workers * _CELLS * _WIDTH)).cast("d")

    def clear(self, worker: int) -> None:
        """A worker begins, or begins anew: what the one before it held is gone, what it decided counts on."""
        at = worker * _CELLS
        self._cells[at + _CONNECTIONS] = self._cells[at + _READY] = 0
        self._cells[at + _LAST] = time.monotonic()

    def listens(self, worker: int) -> None:
        """It takes questions from now on."""
        self._cells[worker * _CELLS + _READY] = 1

    def asked(self, worker: int) -> None:
        """Somebody asked it something."""
        self._cells[worker * _CELLS + _LAST] = time.monotonic()

    def decides(self, worker: int) -> None:
        """It decided once more."""
        self._cells[worker * _CELLS + _DECIDED] += 1

    def holds(self, worker: int, connections: int) -> None:
        """It has so many connections."""
        self._cells[worker * _CELLS + _CONNECTIONS] = connections

    def all_listen(self) -> bool:
        """Whether every worker does."""
        return all(self._cells[at + _READY] for at in self._slots())

    def decided(self) -> int:
        """How often all of them have decided."""
        return int(sum(self._cells[at + _DECIDED] for at in self._slots()))

    def connections(self) -> int:
        """How many there are at all workers."""
        return int(sum(self._cells[at + _CONNECTIONS] for at in self._slots()))

    def last(self) -> float:
        """When somebody asked any of them last."""
        return max(self._cells[at + _LAST] for at in self._slots())

    def _slots(self) -> range:
        return range(0, self.workers * _CELLS, _CELLS)
