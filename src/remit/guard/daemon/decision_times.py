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
_WAITED = 0.02  # seconds that it may take in a thread, which waits for other threads too
_ON_LOOP = 0.008  # seconds that it may take on the loop, where only the machine keeps it waiting
_TIMES = 3  # that it must have been so
_MOST = 2000


class _Timed(NamedTuple):
    event: Event
    on_loop: bool
    work: float = 0.0
    passed: float = 0.0


class DecisionTimes:
    """What was measured."""

    def __init__(self) -> None:
        self._brief: dict[Hashable, int] = {}  # how often in a row
        self._timed: dict[int, _Timed] = {}

    def brief(self, event: Event) -> bool:
        """Whether an event of this sort took a moment each of the last times. This one is measured: on the loop if so, else in a thread."""
        if len(self._timed) > _MOST:
            self._timed.clear()
        brief = self._brief.get(_sort(event), 0) >= _TIMES
        self._timed[id(event)] = _Timed(event, brief)
        return brief

    def begins(self, event: Event) -> None:
        """It is decided now, in this thread."""
        timed = self._timed.get(id(event))
        if timed is not None and timed.event is event:
            work = 0.0 if timed.on_loop else time.thread_time()
            self._timed[id(event)] = timed._replace(work=work, passed=time.monotonic())

    def ends(self, event: Event) -> None:
        """It is decided."""
        timed = self._timed.pop(id(event), None)
        if timed is None or timed.event is not event or not timed.passed:
            return
        passed = time.monotonic() - timed.passed
        moment = passed < (_ON_LOOP if timed.on_loop else _WAITED)
        moment = moment and (timed.on_loop or time.thread_time() - timed.work < _WORK)
        if len(self._brief) > _MOST:
            self._brief.clear()
        sort = _sort(event)
        self._brief[sort] = self._brief.get(sort, 0) + 1 if moment else 0


def _sort(event: Event) -> Hashable:
    """Events that may be expected to take as long: of one tool in one folder, and for commands of the same command."""
    command = event.args.get("command", "")
    return event.kind is Kind.BEFORE, event.tool, event.cwd, command if isinstance(command, str) else ""
