"""How long a call may be looked at, and how much may be read for it."""

from __future__ import annotations

import time

BYTES_A_SECOND = 200_000  # of programs, on a busy machine


class SpentError(Exception):
    """The time is over."""


class Budget:
    """Time, and bytes of programs."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._bytes = int(seconds * BYTES_A_SECOND)

    def tick(self) -> None:
        """The hard end."""
        if time.monotonic() > self._deadline:
            raise SpentError

    def spend(self, size: int) -> None:
        """Reading a program cannot be stopped, so that one which is too long for the time is not begun."""
        self._bytes -= size
        if self._bytes < 0:
            raise SpentError
