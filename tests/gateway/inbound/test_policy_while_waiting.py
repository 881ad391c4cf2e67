"""A tool that is denied while a person is asked whether a device may run its command does not run, whatever the person says."""

import asyncio

import pytest

from remit.core.errors import AuthorityError
from remit.gateway.inbound.nodes import command_requests
from remit.gateway.inbound.nodes.command_requests import NODES, DeviceCommand, run_asked, run_command
from remit.gateway.inbound.nodes.commands import Commands, Device
from remit.gateway.inbound.nodes.devices import DeviceAnswer
from remit.gateway.inbound.nodes.runs import Approve, apply
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import ChannelPairings
from remit.gateway.inbound.stores.operations import Begin, Commit, Write
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

WANTED = DeviceCommand("d", "system.which", "sh", tainted=True)


def paired():
    yield Begin()
    yield Write(PAIRING, NODES, ChannelPairings(allowed=("d",)))
    yield Commit()


class Around:
    """A gateway in which a person approves at once; `then` is what the tool policy says from that on."""

    def __init__(self, store, then):
        self.store, self.then, self.refused, self.ran, self.devices = store, then, "", [], self

    def get(self, name):
        return Device(name, "linux", frozenset({"system.which"}))

    async def run(self, _, name, command, arguments):
        self.ran.append((command, arguments))
        return DeviceAnswer(name, 0, "/bin/sh")

    def commands(self):
        return Commands()

    async def asks(self, name):
        pass

    def refusal_now(self):
        return self.refused

    def now(self):
        return 0

    async def kept(self, operation):
        return self.store.run(operation)

    def asked_by(self):
        return "chat:ann", ""

    def waiting(self, name, wanted, ask):
        assert self.store.run(apply(name, ask, 0)) == ""
        assert self.store.run(apply(name, Approve(wanted.digest, "olga"), 0)) == ""
        self.refused = self.then
        return WaitingError(name)


class WaitingError(Exception):
    """The turn is suspended."""


def run(around):
    with pytest.raises(WaitingError) as waiting:
        asyncio.run(run_command(around, WANTED))
    return asyncio.run(run_asked(around, WANTED, str(waiting.value)))


@pytest.fixture
def store(tmp_path):
    made = Store(sqlite_link(tmp_path / "s.db"), TABLES)
    made.run(paired())
    yield made
    made.close()


def test_while_it_is_allowed_it_runs(store):
    around = Around(store, "")
    assert run(around).startswith("status 0")
    assert around.ran == [("system.which", "sh")]


def test_denied_while_it_waited_it_does_not_run(store):
    around = Around(store, "TOOL_DENIED")
    with pytest.raises(AuthorityError, match=r"COMMAND_DENIED|TOOL_DENIED"):
        run(around)
    assert around.ran == []


def test_the_policy_is_asked_first_too(store, monkeypatch):
    around = Around(store, "")
    around.refused = "TOOL_DENIED"
    monkeypatch.setattr(command_requests, "apply", None)  # nothing is written down
    with pytest.raises(AuthorityError, match="TOOL_DENIED"):
        asyncio.run(run_command(around, WANTED))
