"""A progress bar of one line, on a terminal only."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from remit.report.screen import visible

if TYPE_CHECKING:
    from types import TracebackType

_WIDTH = 24
_CLEAR = "\r\x1b[2K"
_FRAME = 0.1  # seconds between two frames


class Progress:
    """Counts finished skills on standard error."""

    def __init__(self, total: int, *, quiet: bool = False, verb: str = "checking", timed: bool = False) -> None:
        self.total = total
        self.verb = verb
        self.done = 0
        self.name = ""
        self.timed = timed  # whether rate and remaining time are shown, which needs a clock
        self._start = time.monotonic()
        self._before = 0
        self._drawn = 0.0
        self.on = total > 1 and not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Clear the line."""
        self._write(_CLEAR)

    def resume(self, done: int) -> None:
        """Set how many were finished before this run."""
        self.done = self._before = done
        self._start = time.monotonic()
        self._draw()

    def pace(self) -> str:
        """Return how many are finished per second, and how long the others will take at that rate."""
        passed = time.monotonic() - self._start
        rate = (self.done - self._before) / passed if passed > 0 else 0.0
        if not rate:
            return "0/s"
        return f"{rate:.0f}/s, {_clock((self.total - self.done) / rate)} to go"

    def step(self, name: str) -> None:
        """Count one more."""
        self.done += 1
        self.name = name
        self._draw()

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar during other output."""
        self._write(_CLEAR)
        yield
        sys.stdout.flush()
        self._draw()

    def _draw(self) -> None:
        if self.on and self.done < self.total and self._due():
            full = _WIDTH * self.done // self.total
            bar = "#" * full + "." * (_WIDTH - full)
            pace = f"{self.pace()}  " if self.timed else ""
            self._write(f"{_CLEAR}{self.verb} [{bar}] {self.done}/{self.total}  {pace}{visible(self.name)[:30]}")

    def _due(self) -> bool:
        """Whether it is time to draw: more often is useless."""
        now = time.monotonic()
        if self.timed and now - self._drawn < _FRAME:
            return False
        self._drawn = now
        return True

    def _write(self, text: str) -> None:
        if self.on:
            with contextlib.suppress(OSError):
                sys.stderr.write(text)
                sys.stderr.flush()


def _clock(seconds: float) -> str:
    """Return a duration for people."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
