"""Channels of all platforms before one store."""

import copy

from channelworld import ANNA, DISCORD, GATEWAY, KNOWN, NOW, WORLDS, body_of
from one_at_a_time import take_piece, take_turn

from remit.gateway.inbound import turns
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.intake import hear
from remit.gateway.inbound.settings.values import Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

OPEN = Gate(Direct.ANYONE, frozenset("*"), frozenset("*"))
ALL = OPEN._replace(
    unnamed=frozenset({"C0GARDEN", "-1001234500001", "850000000000000001", "garden"}),
    operators=frozenset({"U0ANNA", "70001", ANNA}),
)


class Room:
    """Channels of all platforms before one store."""

    def __init__(self, folder, gate=ALL, **settings):
        self.store = Store(sqlite_link(folder / "gateway.db"), TABLES)
        self.folder, self.now = folder, NOW
        channels = {world.name: world.channel().settings._replace(gate=gate) for world in WORLDS}
        self.settings = Settings(channels=channels, **settings)

    def hear(self, event):
        self.now += 1  # what comes in the same second has no order
        return self.store.run(hear(self.settings, event, "ABCDEFGH", self.now))

    def receive(self, world, case, **changes):
        value = copy.deepcopy(world.fixture[case])
        for path, new in changes.items():
            *way, last = path.split("__")
            inner = value
            for step in way:
                inner = inner[step]
            inner[last] = new
        (event,) = world.channel().receive(world.signed(value)).events
        return self.hear(event)

    def dispatch(self, case, **changes):
        frame = GATEWAY[case] | {"d": GATEWAY[case]["d"] | changes}
        (event,) = DISCORD.channel().dispatched(body_of(frame), KNOWN).events
        return self.hear(event)

    def turn(self):
        """The next event that an agent hears: its session and what it is."""
        key, turn, event = self.store.run(take_turn("w", self.now))
        self.store.run(turns.finish(key, "w", self.now, ()))
        return turn.session, turn.agent, event

    def pieces(self):
        while (found := self.store.run(take_piece("w", self.now))) is not None:
            yield found[1]
