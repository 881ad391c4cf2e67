"""A gateway at work with one channel that is connected to a fake platform, and a model that says what it heard."""

import asyncio
from contextlib import asynccontextmanager

from inboundworld import MAIN, Script

from remit.gateway.inbound.channels.connections import Connections, make_channel
from remit.gateway.inbound.channels.platform_requests import new_client
from remit.gateway.inbound.channels.quarantine import Quarantine
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.values import ChannelSettings, Limits, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

OPEN = Gate(Direct.ANYONE, frozenset("*"), frozenset("*"))


class Gateway:
    """See above. What is told to the operator is in `told`; the same folder again is a restart."""

    def __init__(self, folder, kind, gate=OPEN, **fields):
        self.folder, self.told, self.log, self.script = folder, [], [], Script()
        self.limits = fields.pop("limits", Limits(burst=200))
        self.settings = ChannelSettings(kind, fields.pop("account", "*"), gate, Rules(), **fields)

    def append(self, *entries):
        self.log += entries

    @asynccontextmanager
    async def running(self):
        store = self.store = Store(sqlite_link(self.folder / "gateway.db"), TABLES)
        self.quarantine = self.folder / "quarantine"
        name = str(self.settings.kind)
        self.channel = make_channel(name, self.settings)
        settings = Settings(channels={name: self.settings}, agents={"main": MAIN}, limits=self.limits)
        self.inbound = Inbound(
            settings, store, {name: self.channel}, self.script, Devices(), self, quarantine=Quarantine(self.quarantine)
        )
        connections = Connections(self.inbound, self.told.append)
        tasks = [asyncio.create_task(one) for one in (self.inbound.run(), connections.run())]
        try:
            yield self
            for one in tasks:
                if one.done():
                    one.result()
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            client = getattr(self.channel, "client", None) or new_client()
            await client.aclose()
            store.close()

    async def until(self, holds):
        async with asyncio.timeout(300):
            while not holds():  # noqa: ASYNC110  what it waits for knows of no event
                await asyncio.sleep(0.01)

    def heard(self):
        """The last words of each question to the model."""
        return [texts[-1] for _, texts, _ in self.script.seen]


class Inbox:
    """What a connection puts in, without a gateway."""

    def __init__(self, fails=0):
        self.events, self.refused, self.warnings, self.place, self.fails = [], [], [], "", fails

    async def take(self, received):
        if self.fails:
            self.fails -= 1
            raise RuntimeError("the store is gone")
        self.events += received.events
        self.refused += [received.refused] if received.refused else []
        return []

    async def position(self):
        return self.place

    async def move(self, position):
        self.place = position

    def connected(self, warning=""):
        self.warnings.append(warning)
