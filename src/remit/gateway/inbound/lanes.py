"""Work queue that takes due items from the store and runs a limited number at once.

Idle lanes poll every second, or when rung.

Lanes are independent: agents' turns, operators' commands and sending have one each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

_IDLE = 1.0  # seconds between polls without a ring
_AT_ONCE = 64  # items taken in one operation


class Lane:
    """One lane. `take`: takes up to so many items; `work`: runs one; a cancelled lane waits `patience` seconds for
    running items.
    """

    def __init__(
        self,
        take: Callable[[int], Awaitable[Sequence[Any]]],
        work: Callable[[Any], Awaitable[None]],
        most: int,
        patience: float = 0,
    ) -> None:
        self._take, self._work = take, work
        self._free, self._patience = most, patience
        self._going: set[asyncio.Task[None]] = set()
        self._bell = asyncio.Event()

    def ring(self) -> None:
        """Wake the lane: there may be work."""
        self._bell.set()

    def grow(self, by: int) -> None:
        """Change the number of items that run at once."""
        self._free += by
        self._bell.set()

    async def run(self) -> None:
        """Run until cancelled. An error ends the whole gateway; items that it had taken are later found as lost."""
        async with asyncio.TaskGroup() as group:
            try:
                await self._begin(group)
            except asyncio.CancelledError:
                if self._going and self._patience:
                    await asyncio.wait(self._going, timeout=self._patience)
                raise

    async def _begin(self, group: asyncio.TaskGroup) -> None:
        while True:
            self._bell.clear()
            taken = await self._take(min(self._free, _AT_ONCE)) if self._free > 0 else ()
            self._free -= len(taken)
            for one in taken:
                task = group.create_task(self._done(one))
                self._going.add(task)
                task.add_done_callback(self._going.discard)
            if not taken:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_IDLE):
                        await self._bell.wait()

    async def _done(self, one: Any) -> None:
        await self._work(one)
        self.grow(1)
