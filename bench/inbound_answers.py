"""Answers a second: events of many people, each answered by a script in its own session, kept, and sent to a platform that takes all.

Everything from the event to the sent answer is the gateway's own work: ingress, turn, conversation, delivery, the log, the disk. Printed
with it: how long a person waits while as many events are under way as there are workers, what an answer costs in processor time, and the
memory of the process with that many sessions.

    .venv/bin/python bench/inbound_answers.py [SESSIONS] [WORKERS]
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from remit.audit.log import Log
from remit.gateway.inbound.agent.turn import By, ConversationMessage
from remit.gateway.inbound.channels.interface import Sending, SendResult
from remit.gateway.inbound.events import Direct, Event, Gate, What
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Platform, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import Policy, names

CHANNEL = ChannelSettings(Platform.WEBHOOK, "us", Gate(Direct.ANYONE), Rules(), "secret")
SETTINGS = Settings(channels={"hook": CHANNEL}, agents={"main": Agent(Policy(names().all, {}))})


class Script:
    async def think(self, _prompt, talk, _tools, *_):
        return ConversationMessage(By.AGENT, f"You said: {talk.said[-1].text}")


class Sink:
    """Takes every answer; who waits for one is told."""

    def __init__(self):
        self.waiting = {}

    async def send(self, piece):
        self.waiting.pop(piece.trace).set_result(None)
        return Sending(SendResult.SENT)

    async def typing(self, _route):
        pass


def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


async def ask(inbound, platform, number, took):
    event = Event(
        ChatAddress("hook", "us", ConversationKind.DIRECT, f"p{number}"),
        What.SAID,
        "what is the time? " * 4,
        "m",
        f"e{number}",
        f"e{number}",
    )
    answered = platform.waiting[f"e{number}"] = asyncio.get_running_loop().create_future()
    began = time.perf_counter()
    await inbound.hear(event)
    await answered
    took.append(time.perf_counter() - began)


async def measure(folder, sessions, workers):
    store, platform, took = Store(sqlite_link(folder / "gateway.db"), TABLES), Sink(), []
    with Log.open(folder) as log:
        inbound = Inbound(SETTINGS, store, {"hook": platform}, Script(), Devices(), log)
        working = asyncio.create_task(inbound.run(workers))
        before, left = memory(), iter(range(sessions))

        async def person():
            for number in left:
                await ask(inbound, platform, number, took)

        began, used = time.perf_counter(), time.process_time()
        await asyncio.gather(*(person() for _ in range(workers)))
        seconds, used = time.perf_counter() - began, time.process_time() - used
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    store.close()
    took.sort()
    shown = "  ".join(f"p{part} {took[len(took) * part // 100] * 1e3:.0f}" for part in (50, 90, 99))
    print(
        f"answers a second          {sessions / seconds:8,.0f}   ({used / sessions * 1e6:.0f} us of processor time each)"
    )
    print(f"milliseconds to the answer, {workers} at a time: {shown}")
    print(f"memory with {sessions:,} sessions {memory():8,.0f} MiB   ({before:.0f} before the first)")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main():
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(measure(Path(place), sessions, workers))


if __name__ == "__main__":
    main()
