"""A queue with an end, and a thread that empties it. Whoever puts something there never waits; what finds no room is lost, and counted."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_MOST, _BATCH = 4096, 512  # things that wait, and that are taken at a time
_EVERY = 0.5  # seconds between two looks
_LONGEST = 30.0  # seconds between two tries, when nobody takes anything


class Shipper(Generic[T]):
    """`send` may take long and may fail: then what it was given is lost. `lost` is told how much."""

    def __init__(
        self, name: str, send: Callable[[list[T]], None], lost: Callable[[str, int], None], most: int = _MOST
    ) -> None:
        self._name, self._send, self._lost, self._most = name, send, lost, most
        self._waiting: deque[T] = deque()
        self._full = 0  # that found no room since the last look
        self._bell = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._run, name=f"remit-{name}", daemon=True)
        self._thread.start()

    def put(self, item: T) -> None:
        """Take it along, if there is room."""
        if len(self._waiting) >= self._most:
            self._full += 1
            return
        self._waiting.append(item)
        if len(self._waiting) == _BATCH:
            self._bell.set()

    def close(self, seconds: float) -> None:
        """Send what is there, if that takes no longer than this."""
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
        """One batch; how long to wait for the next."""
        batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
        begun = time.monotonic()
        try:
            self._send(batch)
        except Exception:  # noqa: BLE001  whoever takes it is not ours: whatever went wrong there is no business of this process
            self._tell(len(batch))
            return min(max(2 * pause, 2 * (time.monotonic() - begun)), _LONGEST)
        return _EVERY

    def _tell(self, number: int) -> None:
        with contextlib.suppress(Exception):
            self._lost(self._name, number)
