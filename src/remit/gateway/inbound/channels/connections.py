"""Connections that channels open themselves, so that no public address is needed. Each is kept open, and opened again after growing pauses.

What a platform refuses until a person changes something (a token, a right) is told once, with what to do, and tried again seldom.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError, RemitError
from remit.gateway.inbound import records
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.stores.tables import POSITIONS

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.form import Channel, Connection, Received
    from remit.gateway.inbound.ingress.hear import Fate
    from remit.gateway.inbound.running import Inbound

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds; doubled with every try, and up to half more by chance
OPERATOR_PAUSE = 300.0  # where a person must change something


class ChannelError(AuthorityError):
    """A platform refused a connection. `pause`: for how long it wants to be left alone; `operator`: until a person changes something."""

    def __init__(self, message: str, remedy: str = "", *, pause: float = 0, operator: bool = False) -> None:
        super().__init__(message, remedy)
        self.pause = OPERATOR_PAUSE if operator else pause


class Connections:
    """All of them. `tell`: whom changes are told."""

    def __init__(self, inbound: Inbound, tell: Callable[[str], None]) -> None:
        self._inbound, self._tell = inbound, tell
        self._open: dict[str, tuple[Channel, asyncio.Task[None]]] = {}
        self._changed = asyncio.Event()

    def use(self) -> None:
        """The channels of the gateway are others."""
        self._changed.set()

    async def run(self) -> None:
        """Keep them open until cancelled. An error that is no platform's (the store) ends the gateway."""
        changed = asyncio.create_task(self._changed.wait())
        try:
            while True:
                self._adjust()
                done, _ = await asyncio.wait(
                    (changed, *(task for _, task in self._open.values())), return_when=asyncio.FIRST_COMPLETED
                )
                for one in done - {changed}:
                    one.result()
                if changed in done:
                    self._changed.clear()
                    changed = asyncio.create_task(self._changed.wait())
        finally:
            tasks = [changed, *(task for _, task in self._open.values())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _adjust(self) -> None:
        channels = self._inbound.channels
        for name, (channel, task) in tuple(self._open.items()):
            if channels.get(name) is not channel:
                task.cancel()
                del self._open[name]
        for name, channel in channels.items():
            connection = None if name in self._open else channel.connection()
            if connection is not None:
                self._open[name] = channel, asyncio.create_task(self._keep(name, connection))

    async def _keep(self, name: str, connection: Connection) -> None:
        pause, before = FIRST_PAUSE, ""
        while True:
            inbox = ChannelInbox(self._inbound, name, self._tell)
            error: ChannelError | None = None
            try:
                await connection.run(inbox)  # it may end by itself: platforms ask for a new one from time to time
            except ChannelError as refused:
                error = refused
            except RemitError:
                raise
            except Exception as broken:  # noqa: BLE001  whatever a platform says, other channels go on; its text may hold a token
                error = ChannelError(f"the connection broke ({type(broken).__name__})", "look at the network")
            if inbox.stood:
                pause, before = FIRST_PAUSE, ""
            if error is not None and error.message != before:
                self._tell(f"channel `{name}`: {error.message}" + (f": {error.remedy}" if error.remedy else ""))
                await self._inbound.log.note(records.disconnected(name, error.message))
                before = error.message
            wanted = error.pause if error is not None else 0
            await asyncio.sleep(max(wanted, pause * (1 + random.random() / 2)))  # noqa: S311  spreads tries, hides nothing
            pause = min(2 * pause, LONGEST_PAUSE)


class ChannelInbox:
    """See form.Inbox: the way of one connection into the gateway."""

    def __init__(self, inbound: Inbound, name: str, tell: Callable[[str], None]) -> None:
        self._inbound, self._name, self._tell = inbound, name, tell
        self.stood = False

    async def take(self, received: Received) -> Sequence[Fate]:
        """On return everything is on the disk."""
        return await self._inbound.take(self._name, received)

    async def position(self) -> str:
        """As it was kept last."""
        return await self._inbound.kept(_position(self._name))

    async def move(self, position: str) -> None:
        """Keep it."""
        await self._inbound.kept(_moved(self._name, position))

    def connected(self, warning: str = "") -> None:
        """Told once a connection."""
        if not self.stood or warning:
            self._tell(f"channel `{self._name}`: {warning or 'connected'}")
        self.stood = True


def _position(name: str) -> Operation[str]:
    found: str | None = yield Read(POSITIONS, name)
    return found or ""


def _moved(name: str, position: str) -> Operation[None]:
    yield Begin()
    yield Write(POSITIONS, name, position)
    yield Commit()
