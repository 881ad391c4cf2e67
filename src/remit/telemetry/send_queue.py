"""Bounded queue, emptied by a thread. Producers never wait: items above the limit are dropped and counted."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_MOST, _BATCH = 4096, 512  # queued items, and items in one batch
_EVERY = 0.5  # seconds between two checks
_LONGEST = 30.0  # longest pause in seconds after failures


class Shipper(Generic[T]):
    """A queue with its thread.

    `send` may be slow and may fail: then its batch is dropped. `lost` gets the number of dropped items.
    """

    def __init__(
        self, name: str, send: Callable[[list[T]], None], lost: Callable[[str, int], None], most: int = _MOST
    ) -> None:
        self._name, self._send, self._lost, self._most = name, send, lost, most
        self._waiting: deque[T] = deque()
        self._full = 0  # items dropped since the last check
        self._bell = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._run, name=f"remit-{name}", daemon=True)
        self._thread.start()

    def put(self, item: T) -> None:
        """Queue an item if there is room."""
        if len(self._waiting) >= self._most:
            self._full += 1
            return
        self._waiting.append(item)
        if len(self._waiting) == _BATCH:
            self._bell.set()

    def close(self, seconds: float) -> None:
        """Send the queued items, within the time limit."""
        self._ends = True
        self._bell.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        pause = _EVERY
        while not (self._ends and not self._waiting):
            self._bell.wait(pause)
            self._bell.clear()
            if self._full:
                full, self._full = self._full, 0
                self._tell(full)
            pause = _EVERY
            while self._waiting and pause == _EVERY:
                pause = self._ship(pause)

    def _ship(self, pause: float) -> float:
        """Send one batch; return the pause before the next."""
        batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
        begun = time.monotonic()
        try:
            self._send(batch)
        except Exception:  # noqa: BLE001  errors of the receiver must not affect this process
            self._tell(len(batch))
            return min(max(2 * pause, 2 * (time.monotonic() - begun)), _LONGEST)
        return _EVERY

    def _tell(self, number: int) -> None:
        with contextlib.suppress(Exception):
            self._lost(self._name, number)
