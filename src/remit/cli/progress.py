"""A progress bar of one line on a terminal; nothing elsewhere."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Self

from remit.report.screen import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_WIDTH = 24
_CLEAR = "\r\x1b[2K"


class Progress:
    """Counts finished skills on standard error."""

    def __init__(self, total: int, *, quiet: bool = False, verb: str = "checking") -> None:
        self.total = total
        self.verb = verb
        self.done = 0
        self.name = ""
        self.on = total > 1 and not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write(_CLEAR)

    def step(self, name: str) -> None:
        """One more is finished."""
        self.done += 1
        self.name = name
        self._draw()

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Make room for other output."""
        self._write(_CLEAR)
        yield
        sys.stdout.flush()
        self._draw()

    def _draw(self) -> None:
        if self.on and self.done < self.total:
            full = _WIDTH * self.done // self.total
            bar = "#" * full + "." * (_WIDTH - full)
            self._write(f"{_CLEAR}{self.verb} [{bar}] {self.done}/{self.total}  {visible(self.name)[:30]}")

    def _write(self, text: str) -> None:
        if self.on:
            with contextlib.suppress(OSError):
                sys.stderr.write(text)
                sys.stderr.flush()
