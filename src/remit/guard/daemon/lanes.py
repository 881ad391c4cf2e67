"""The events of one session are decided one after the other, in the order in which they came; sessions do not wait for each other."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


class Lanes:
    """One queue for each session in which something is under way; none for the others."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[Callable[[], bool]]] = {}

    def free(self, key: Hashable) -> bool:
        """Whether nothing of this session is under way."""
        return key not in self._queues

    def take(self, key: Hashable) -> None:
        """Something of a session that was free is under way. Whoever takes must leave."""
        assert key not in self._queues
        self._queues[key] = deque()

    def wait(self, key: Hashable, work: Callable[[], bool]) -> None:
        """Stand in line. The work says whether it is done when it returns; if not, it leaves by itself when it is."""
        self._queues[key].append(work)

    def enter(self, key: Hashable) -> asyncio.Future[None]:
        """Stand in line now; the turn has come when the future is done. Whoever enters must leave."""
        turn = asyncio.get_running_loop().create_future()

        def begin() -> bool:
            if turn.cancelled():
                return True
            turn.set_result(None)
            return False

        if key in self._queues:
            self.wait(key, begin)
        else:
            self.take(key)
            turn.set_result(None)
        return turn

    def leave(self, key: Hashable) -> None:
        """Hand the turn on, past all that is done at once."""
        waiting = self._queues[key]
        while waiting:
            if not waiting.popleft()():
                return
        del self._queues[key]
