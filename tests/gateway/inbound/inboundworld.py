"""A gateway at work, with a platform and a model that are written down."""

import asyncio
import json

from one_at_a_time import one_sending, one_turn

from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage
from remit.gateway.inbound.channels import interface
from remit.gateway.inbound.channels.interface import Received, Sending, SendResult
from remit.gateway.inbound.events import Direct, Event, Gate, What
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Scope, Sessions
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Platform, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import Layer, Policy, names
from remit.gateway.inbound.turns import ORDERS

NOW = 1000
TOOLS = Policy(names().all, {"global": Layer(deny=("group:run",))})
MAIN = Agent(TOOLS, "be brief")
GATE = Gate(direct=Direct.ANYONE, operators=frozenset({"root"}))
SETTINGS = Settings(
    channels={"chat": ChannelSettings(Platform.WEB, "us", GATE, Rules())},
    agents={"main": MAIN},
    sessions=Sessions(Scope.CHANNEL_PEER),
)


class Chat(interface.Channel):
    """A platform of which everything is written down."""

    def __init__(self):
        self.sent, self.went = [], Sending(SendResult.SENT)
        self.received = Received()

    def receive(self, _incoming):
        return self.received

    async def send(self, piece):
        self.sent.append((piece.route.to, piece.body))
        return self.went


class Script:
    """A model that says what it was given."""

    def __init__(self):
        self.says, self.seen = [], []

    async def think(self, prompt, talk, tools, *_):
        self.seen.append((prompt, [one.text for one in talk.said], {one.name for one in tools}))
        found = self.says.pop(0) if self.says else ConversationMessage(By.AGENT, f"heard: {talk.said[-1].text}")
        if isinstance(found, Exception):
            raise found
        return found


class World:
    """A gateway with all that is around it."""

    def __init__(self, folder):
        self.store = Store(sqlite_link(folder / "x.db"), TABLES)
        self.chat, self.script, self.log, self.time = Chat(), Script(), [], NOW
        self.devices = Devices()
        self.acted, self.outcome = [], {"status": "OK", "summary": "done", "data": {}}
        self.inbound = Inbound(
            SETTINGS, self.store, {"chat": self.chat}, self.script, self.devices, self, self, lambda: self.time
        )
        self.number = 0
        self.committed, self.outcomes_of_commits = [], []

    def append(self, entry):
        self.log.append(entry)

    async def preview(self, agent, intent, inputs):
        self.acted.append((agent, intent, inputs))
        return self.outcome

    async def commit(self, agent, intent, inputs, transaction):
        self.committed.append((agent, intent, inputs, transaction))
        return self.outcomes_of_commits.pop(0)

    def settings(self, **changes):
        self.inbound.settings = self.inbound.settings._replace(**changes)

    def agent(self, **changes):
        self.settings(agents={"main": MAIN._replace(**changes)})

    def hear(self, text, peer="ann", **changes):
        self.number += 1
        event = Event(
            ChatAddress("chat", "us", ConversationKind.DIRECT, peer),
            What.SAID,
            text,
            f"m{self.number}",
            f"e{self.number}",
        )
        return asyncio.run(self.inbound.hear(event._replace(**changes)))

    def work(self):
        """Until nothing is due."""

        async def all_of_it():
            while (
                await one_turn(self.inbound, ORDERS) or await one_turn(self.inbound) or await one_sending(self.inbound)
            ):
                pass

        asyncio.run(all_of_it())
        sent, self.chat.sent = self.chat.sent, []
        return [body for _, body in sent]

    def work_turns(self):
        """Until no turn is due; nothing is sent."""

        async def all_of_it():
            while await one_turn(self.inbound):
                pass

        asyncio.run(all_of_it())

    def say(self, text, peer="ann"):
        self.hear(text, peer)
        return self.work()

    def calls(self, tool, **inputs):
        self.script.says.append(ConversationMessage(By.AGENT, "", (AgentCall("c", tool, json.dumps(inputs)),)))

    def outcomes(self):
        return [str(one.outcome) for one in self.log if one.outcome]
