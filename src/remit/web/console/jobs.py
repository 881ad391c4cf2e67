"""What takes longer than a page may: it is begun, the page says so, and shows the answer when it is there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

_MOST = 50  # answers that are kept
_AT_A_TIME = 2


class Done(NamedTuple):
    """An answer, or the error in its place."""

    value: Any = None
    error: Exception | None = None


class Jobs:
    """Jobs by their key; an answer stays until somebody wants a new one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._begun: dict[str, float] = {}
        self._room = asyncio.Semaphore(_AT_A_TIME)
        self._clock = clock

    def begin(self, key: str, make: Callable[[], Awaitable[Any]]) -> None:
        """Begin, unless it is under way."""
        task = self._tasks.pop(key, None)
        if task is None or task.done():
            task = asyncio.create_task(self._run(make))
            self._begun[key] = self._clock()
        self._tasks[key] = task
        for old in [one for one, kept in self._tasks.items() if kept.done()][: len(self._tasks) - _MOST]:
            del self._tasks[old], self._begun[old]

    def answer(self, key: str) -> Done | None:
        """What came of it; None if it was not begun, or goes on."""
        task = self._tasks.get(key)
        return task.result() if task is not None and task.done() else None

    def known(self, key: str) -> bool:
        """Whether it was begun."""
        return key in self._tasks

    def seconds(self, key: str) -> int:
        """How long ago it was begun."""
        return int(self._clock() - self._begun.get(key, self._clock()))

    async def stop(self) -> None:
        """End what goes on."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()

    async def _run(self, make: Callable[[], Awaitable[Any]]) -> Done:
        async with self._room:
            try:
                return Done(await make())
            except Exception as error:  # noqa: BLE001  shown by the page that asks for the answer
                return Done(error=error)
