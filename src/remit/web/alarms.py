"""Handling of the monitor's alarms: each is logged, printed, and may stop the gateway."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound import records
from remit.gateway.inbound.monitor import StopError
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.gateway.inbound.laws import LawViolation

_MOST = 100  # alarms of one law: a bug can break a law with every message, and must not fill the disk


class Watch(NamedTuple):
    """The settings of the monitor."""

    rate: float = 1.0  # the share of operations that are checked
    stop: bool = False  # whether an alarm stops the gateway


class Alarms:
    """Receiver of alarms, from any thread. An alarm that cannot be logged is an error, which ends the gateway."""

    def __init__(self, log: Log, warn: Callable[[str], None], *, stop: bool) -> None:
        self._log = log
        self._warn = warn
        self._stop = stop
        self._loop = asyncio.get_running_loop()
        self._stopped: asyncio.Future[None] = self._loop.create_future()
        self._told: Counter[str] = Counter()

    def __call__(self, broken: LawViolation) -> None:
        """Handle one alarm."""
        law = broken.law
        self._told[law.id] += 1
        if self._told[law.id] <= _MOST:
            self._log.append(records.alarm(broken), sync=True)
            last = "; further alarms of this law are not shown" if self._told[law.id] == _MOST else ""
            self._warn(f"alarm: {law.id}: {law.says} ({visible(broken.key)}){last}")
        if self._stop:
            error = StopError(f"`{law.id}` does not hold: {law.says}", "see the log; docs/gateway.md has what to do")
            self._loop.call_soon_threadsafe(self._fail, error)
            raise error

    def _fail(self, error: StopError) -> None:
        if not self._stopped.done():
            self._stopped.set_exception(error)

    async def until_stopped(self) -> None:
        """Wait until an alarm stops the gateway; raises its reason."""
        await self._stopped
