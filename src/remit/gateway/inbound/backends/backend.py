"""The interface of what answers as an agent, and the model that is asked step by step as one implementation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from remit.core.errors import UsageError
from remit.gateway.inbound.agent.turn import About, Suspension, World, run_turn
from remit.gateway.inbound.settings.values import MODEL

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.talk import Pause, Talk
    from remit.gateway.inbound.agent.thinking import Thinker


class Backend(Protocol):
    """One backend. It holds nothing of a turn that must survive it but what it returns."""

    async def answer(self, world: World, about: About, talk: Talk, pause: Pause | None) -> Talk | Suspension:
        """The conversation after the turn: its last piece is the answer. RemitError with the reason if there is none.

        A backend that can be suspended while a person is waited for returns a suspension, and goes on later from its pause.
        """

    async def close(self) -> None:
        """No more."""


class ModelBackend:
    """A model, with the tools of the gateway."""

    async def answer(self, world: World, about: About, talk: Talk, pause: Pause | None) -> Talk | Suspension:
        """Think and call tools until the model calls none."""
        return await run_turn(world, about, talk, pause)

    async def close(self) -> None:
        """The endpoint belongs to the gateway."""


BACKENDS: Mapping[str, Backend] = MappingProxyType({MODEL: ModelBackend()})


class Answering:
    """The backends of a gateway, and the turns that are under way in it."""

    def __init__(self, thinker: Thinker, backends: Mapping[str, Backend] = BACKENDS) -> None:
        self.thinker = thinker
        self._backends = backends
        self._stopping: dict[str, asyncio.Event] = {}  # by session

    async def answer(
        self, backend: str, world: World, about: About, talk: Talk, pause: Pause | None
    ) -> Talk | Suspension:
        """One turn, by a backend."""
        found = self._backends.get(backend)
        if found is None:
            raise UsageError(f"`{backend}` answered for no agent when the gateway started", "start it again")
        self._stopping[about.session] = asyncio.Event()
        try:
            return await found.answer(world, about, talk, pause)
        finally:
            del self._stopping[about.session]

    def stopping(self, session: str) -> asyncio.Event:
        """Set when the turn of a session is to end."""
        return self._stopping.get(session) or asyncio.Event()

    def stop(self, session: str) -> bool:
        """End the turn that is under way in a session; whether there is one here."""
        found = self._stopping.get(session)
        if found is not None:
            found.set()
        return found is not None
