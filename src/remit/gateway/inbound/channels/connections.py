"""Channels made from their settings, and the connections that they open to platforms, so that no public address is needed.

Each is kept open, and reopened after growing pauses. An error that only the operator can fix (a token, a permission) is
reported once with a remedy and retried rarely.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from remit.core.errors import RemitError, UsageError
from remit.gateway.inbound import records
from remit.gateway.inbound.channels.discord import Discord
from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.channels.mail import Mail
from remit.gateway.inbound.channels.platform_requests import new_client
from remit.gateway.inbound.channels.slack import Slack
from remit.gateway.inbound.channels.telegram import Telegram
from remit.gateway.inbound.channels.webhook import Webhook
from remit.gateway.inbound.settings.values import ChannelSettings as Settings
from remit.gateway.inbound.settings.values import Platform
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.stores.tables import POSITIONS

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.interface import Channel, Connection, Received
    from remit.gateway.inbound.intake import Fate
    from remit.gateway.inbound.service import Inbound


MAKERS: Mapping[Platform, Callable[[str, Settings, AsyncClient], Channel]] = {
    Platform.WEBHOOK: Webhook,
    Platform.SLACK: Slack,
    Platform.DISCORD: Discord,
    Platform.TELEGRAM: Telegram,
    Platform.MAIL: Mail,
}


def make_channel(name: str, settings: Settings) -> Channel:
    """Return a channel; UsageError if its settings are unusable or if it has no adapter here (web/chat.py)."""
    maker = MAKERS.get(settings.kind)
    if maker is None:
        raise UsageError(
            f"the channel `{name}` is of the kind `{settings.kind}`, which does not run here", "leave it out"
        )
    return maker(name, settings, new_client())


FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds; doubled with each attempt, plus up to half at random


class Connections:
    """The connections of all channels. `tell`: receives status messages."""

    def __init__(self, inbound: Inbound, tell: Callable[[str], None]) -> None:
        self._inbound, self._tell = inbound, tell
        self._open: dict[str, tuple[Channel, asyncio.Task[None]]] = {}
        self._changed = asyncio.Event()

    def use(self) -> None:
        """Adopt the gateway's changed channels."""
        self._changed.set()

    async def run(self) -> None:
        """Keep the connections open until cancelled. An error of the gateway itself, such as the store's, ends it."""
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
                await connection(inbox)  # it may end by itself: platforms request a new connection from time to time
            except ChannelError as refused:
                error = refused
            except RemitError:
                raise
            except Exception as broken:  # noqa: BLE001  other channels go on; the error's text may contain a token
                error = ChannelError(f"the connection broke ({type(broken).__name__})", "look at the network")
            if inbox.stood:
                pause, before = FIRST_PAUSE, ""
            if error is not None and error.message != before:
                self._tell(f"channel `{name}`: {error.message}" + (f": {error.remedy}" if error.remedy else ""))
                await self._inbound.log.note(records.disconnected(name, error.message))
                before = error.message
            wanted = error.pause if error is not None else 0
            await asyncio.sleep(max(wanted, pause * (1 + random.random() / 2)))  # noqa: S311  jitter, not secrecy
            pause = min(2 * pause, LONGEST_PAUSE)


class ChannelInbox:
    """Where a connection stores what it receives."""

    def __init__(self, inbound: Inbound, name: str, tell: Callable[[str], None]) -> None:
        self._inbound, self._name, self._tell = inbound, name, tell
        self.stood = False

    async def take(self, received: Received) -> Sequence[Fate]:
        """Store all events, or count the refusal. On return they are on the disk and may be acknowledged."""
        return await self._inbound.take(self._name, received)

    async def position(self) -> str:
        """Return the last stored position of the channel; empty at first."""
        return await self._inbound.kept(_position(self._name))

    async def move(self, position: str) -> None:
        """Store the position: all events up to it are stored."""
        await self._inbound.kept(_moved(self._name, position))

    def connected(self, warning: str = "") -> None:
        """Report that the connection works, once. `warning`: what will not work, and what to do."""
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
