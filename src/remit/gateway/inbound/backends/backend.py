"""The interface of agent backends, and the backend that asks a model step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from remit.core.errors import UsageError
from remit.gateway.inbound.agent.turn import About, Suspension, World, run_turn
from remit.gateway.inbound.settings.values import MODEL

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.model_client import Thinker
    from remit.gateway.inbound.agent.turn import Pause, Talk


class Backend(Protocol):
    """One backend. All state of a turn that must survive is in its return value."""

    async def answer(self, world: World, about: About, talk: Talk, pause: Pause | None) -> Talk | Suspension:
        """Return the conversation that ends with the answer; RemitError with the reason if there is none.

        A backend that can be suspended while a person is asked returns a suspension and later continues from its pause.
        """

    async def close(self) -> None:
        """Close the backend."""


class ModelBackend:
    """A model with the tools of the gateway."""

    async def answer(self, world: World, about: About, talk: Talk, pause: Pause | None) -> Talk | Suspension:
        """Ask the model and run tools until it calls none."""
        return await run_turn(world, about, talk, pause)

    async def close(self) -> None:
        """Do nothing: the endpoint belongs to the gateway."""


BACKENDS: Mapping[str, Backend] = MappingProxyType({MODEL: ModelBackend()})


class Answering:
    """The backends of a gateway, and their current turns."""

    def __init__(self, thinker: Thinker, backends: Mapping[str, Backend] = BACKENDS) -> None:
        self.thinker = thinker
        self._backends = backends
        self._stopping: dict[str, asyncio.Event] = {}  # by session

    async def answer(
        self, backend: str, world: World, about: About, talk: Talk, pause: Pause | None
    ) -> Talk | Suspension:
        """Run one turn with a backend."""
        found = self._backends.get(backend)
        if found is None:
            raise UsageError(f"`{backend}` answered for no agent when the gateway started", "start it again")
        self._stopping[about.session] = asyncio.Event()
        try:
            return await found.answer(world, about, talk, pause)
        finally:
            del self._stopping[about.session]

    def stopping(self, session: str) -> asyncio.Event:
        """Return an event that is set when the session's turn must end."""
        return self._stopping.get(session) or asyncio.Event()

    def stop(self, session: str) -> bool:
        """End the current turn of a session; return whether this gateway runs one."""
        found = self._stopping.get(session)
        if found is not None:
            found.set()
        return found is not None
