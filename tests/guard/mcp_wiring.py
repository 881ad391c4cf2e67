"""A client, the proxy and a server in one process, with a real daemon behind the proxy; and the proxy as a program."""

import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path

import anyio
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters
from mcp.shared.memory import create_client_server_memory_streams
from mcp_server import Offer, make

import remit
from remit.guard.daemon.daemon_client import Daemon
from remit.guard.mcp.pins import PinFiles
from remit.guard.mcp.relay import Relay
from remit.guard.mcp.settings import FirstUse, Settings
from remit.guard.state_folder import prepared

HERE = Path(__file__).resolve().parent
SOURCE = str(Path(remit.__file__).resolve().parent.parent)


def in_loop(test):
    """Run a test in an event loop that ends, whatever hangs."""

    @wraps(test)
    def run(*args, **kwargs):
        async def main():
            with anyio.fail_after(60):
                await test(*args, **kwargs)

        anyio.run(main)

    return run


def start_decider(state):
    """The daemon, listening."""
    prepared(state)
    command = [sys.executable, str(HERE / "mcp_decider.py"), str(state)]
    environ = {**os.environ, "PYTHONPATH": SOURCE}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environ)
    assert process.stdout.read(1) == b"+"
    return process


class World:
    """A state folder with a daemon, and servers that tests change."""

    def __init__(self, state):
        self.state = state
        self.work = state.with_name("w")
        self.work.mkdir(parents=True, exist_ok=True)
        self.offer = Offer()
        self.said = []
        self.sought = []
        self.name = "srv"
        self.origin = {"command": ["srv"]}
        self.first_use = FirstUse.ASK
        self.options = {}

    def agree(self):
        (self.state / "agree").touch()

    def disagree(self):
        (self.state / "agree").unlink(missing_ok=True)

    def told(self, **wanted):
        path = self.state / "told.jsonl"
        events = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [event for event in events if all(event[key] == value for key, value in wanted.items())]

    def seek(self, server, digest, arguments):
        """The person, who agrees to every server or to none."""
        self.sought.append((server, digest, arguments))
        agreed = (self.state / "agree").exists()
        return "" if agreed else "a person must look"

    @property
    def files(self):
        return PinFiles.of(self.state)

    def settings(self):
        return Settings(
            self.name, self.origin, "/w", self.said.append, self.first_use, **{"decide_within": 5.0, **self.options}
        )

    @asynccontextmanager
    async def streams(self, guard=None, serve=None, consent=None):
        """The streams of a client, with the proxy and a server behind them."""
        server = make(self.offer)

        async def honest(read, write):
            await server.run(read, write, server.create_initialization_options())

        async with (
            create_client_server_memory_streams() as (client, front),
            create_client_server_memory_streams() as (back, remote),
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(serve or honest, *remote)
            relay = Relay(self.settings(), guard or Daemon("mcp", self.state), self.files, consent or self, front, back)
            tasks.start_soon(relay.run)
            yield client
            tasks.cancel_scope.cancel()

    @asynccontextmanager
    async def client(self, guard=None, serve=None, consent=None, **callbacks):
        """A client that has said hello."""
        async with (
            self.streams(guard, serve, consent) as (read, write),
            ClientSession(read, write, **callbacks) as session,
        ):
            await session.initialize()
            yield session

    def program(self, *words):
        """The proxy as a program, for a client of the package."""
        return StdioServerParameters(
            command=sys.executable,
            args=["-m", "remit.cli", "guard", "mcp", "--state", str(self.state), "--workspace", str(self.work), *words],
            env={"PYTHONPATH": SOURCE},
        )


async def until(condition):
    with anyio.fail_after(30):
        while not condition():  # noqa: ASYNC110  what happens is told in a file
            await anyio.sleep(0.01)


def words(result):
    return "\n".join(part.text for part in result.content if part.type == "text")
