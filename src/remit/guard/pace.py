"""How long events of one sort took to be decided lately. It says only where the next one is decided, and never how.

A change of threads costs more than a small file that is kept: what took a moment each of the last times is expected to take a moment.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.event import Kind

if TYPE_CHECKING:
    from collections.abc import Hashable

    from remit.guard.event import Event

_WORK = 0.004  # seconds of work that others may be kept waiting for
_PASSED = 0.02  # seconds by the clock: in a thread also the waiting for other threads
_TIMES = 3  # that it must have been so
_MOST = 2000


class _Timed(NamedTuple):
    event: Event
    work: float
    passed: float


class Pace:
    """What was measured."""

    def __init__(self) -> None:
        self._brief: dict[Hashable, int] = {}  # how often in a row
        self._timed: dict[int, _Timed] = {}

    def brief(self, event: Event) -> bool:
        """Whether an event of this sort took a moment each of the last times. From now on it is measured: this one too."""
        if len(self._timed) > _MOST:
            self._timed.clear()
        self._timed[id(event)] = _Timed(event, 0.0, 0.0)
        return self._brief.get(_sort(event), 0) >= _TIMES

    def begins(self, event: Event) -> None:
        """It is decided now, in this thread."""
        timed = self._timed.get(id(event))
        if timed is not None and timed.event is event:
            self._timed[id(event)] = _Timed(event, time.thread_time(), time.monotonic())

    def ends(self, event: Event) -> None:
        """It is decided."""
        timed = self._timed.pop(id(event), None)
        if timed is None or timed.event is not event or not timed.passed:
            return
        moment = time.thread_time() - timed.work < _WORK and time.monotonic() - timed.passed < _PASSED
        if len(self._brief) > _MOST:
            self._brief.clear()
        sort = _sort(event)
        self._brief[sort] = self._brief.get(sort, 0) + 1 if moment else 0


def _sort(event: Event) -> Hashable:
    """Events that may be expected to take as long: of one tool in one folder, and for commands of the same command."""
    command = event.args.get("command", "")
    return event.kind is Kind.BEFORE, event.tool, event.cwd, command if isinstance(command, str) else ""
