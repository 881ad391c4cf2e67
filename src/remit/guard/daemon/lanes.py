"""The events of one session are decided one after the other, in the order in which they came; sessions do not wait for each other."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable


class Lanes:
    """One queue for each session in which something is under way; none for the others."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[asyncio.Future[None]]] = {}

    def free(self, key: Hashable) -> bool:
        """Whether nothing of this session is under way."""
        return key not in self._queues

    def enter(self, key: Hashable) -> asyncio.Future[None]:
        """Stand in line now; the turn has come when the future is done. Whoever enters must leave."""
        turn = asyncio.get_running_loop().create_future()
        if key in self._queues:
            self._queues[key].append(turn)
        else:
            self._queues[key] = deque()
            turn.set_result(None)
        return turn

    def leave(self, key: Hashable) -> None:
        """Hand the turn on."""
        waiting = self._queues[key]
        if waiting:
            waiting.popleft().set_result(None)
        else:
            del self._queues[key]
