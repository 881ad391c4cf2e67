"""Signed webhooks over HTTP, acknowledged when they are kept: how many a second, after how long, and what each costs the gateway.

Events go the whole way of a platform's: HTTP, signature, form, once, gate, routing, the disk, the log. No agent works meanwhile: what is
measured is what a platform waits for. First as many as come through (each connection sends when it was answered), then at a steady
RATE whether or not answers come, which is what the time to the acknowledgement is measured at.

    .venv/bin/python bench/inbound_http.py [EVENTS] [RATE]
"""

import asyncio
import hashlib
import hmac
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uvicorn

from remit.audit.log import Log
from remit.gateway.inbound.channels.connections import make_channel
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Limits, Platform, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import Layer, Policy, names
from remit.web.app import make_app
from remit.web.connection_limits import ConnectionLimits, limited, most_of
from remit.web.login import Doors

SECRET, PEERS, CONNECTIONS = "secret-of-both-ends", 50, 64
GATE = Gate(Direct.NAMED, frozenset(f"peer{number}" for number in range(PEERS)))
POLICY = Policy(names().all, {"global": Layer(deny=("group:run",))})


def serve(folder, port):
    """The gateway's application, without workers."""
    channel = ChannelSettings(Platform.WEBHOOK, "us", GATE, Rules(), SECRET)
    settings = Settings(
        channels={"hook": channel}, agents={"main": Agent(POLICY)}, limits=Limits(burst=10**6)
    )  # fmt: skip
    store = Store(sqlite_link(folder / "gateway.db"), TABLES)
    with Log.open(folder) as log:
        inbound = Inbound(settings, store, {"hook": make_channel("hook", channel)}, None, Devices(), log)
        doors = Doors(settings.access)
        uvicorn.run(
            make_app(inbound, {}, doors),
            host="127.0.0.1",
            port=port,
            log_level="warning",
            access_log=False,
            http=limited(ConnectionLimits(most_of(settings.limits.connections), lambda: doors.count)),
        )
    store.close()


def request(number):
    name = f"e{number}"
    told = {"id": name, "message": name, "from": f"peer{number % PEERS}", "text": "what is the time? " * 4}
    body, stamp = json.dumps(told).encode(), str(int(time.time()))
    mark = hmac.new(SECRET.encode(), f"in:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
    return (
        f"POST /channels/hook HTTP/1.1\r\nhost: gateway\r\nx-remit-timestamp: {stamp}\r\nx-remit-signature: v1={mark}\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    ).encode() + body


class Line(asyncio.Protocol):
    """One connection: requests are sent when they are given, and answers come in their order."""

    def __init__(self):
        self.waiting, self._data = [], b""

    def connection_made(self, transport):
        self.transport = transport

    def send(self, data, done):
        self.waiting.append((time.perf_counter(), done))
        self.transport.write(data)

    def data_received(self, data):
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            head = self._data[:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._data) < end + 4 + length:
                return
            self._data = self._data[end + 4 + length :]
            began, done = self.waiting.pop(0)
            assert head.split()[1] == b"200", head
            done(time.perf_counter() - began)


async def closed(lines, requests):
    """Each connection sends the next when it was answered."""
    left, took, over = iter(requests), [], asyncio.get_running_loop().create_future()

    def answered(line):
        def done(seconds):
            took.append(seconds)
            if len(took) == len(requests):
                over.set_result(None)
            elif (data := next(left, None)) is not None:
                line.send(data, done)

        return done

    for line in lines:
        line.send(next(left), answered(line))
    await over
    return took


async def steady(lines, requests, rate):
    """So many a second, whether or not answers come."""
    took, over, begin = [], asyncio.get_running_loop().create_future(), time.perf_counter()

    def done(seconds):
        took.append(seconds)
        if len(took) == len(requests):
            over.set_result(None)

    for number, data in enumerate(requests):
        if (wait := begin + number / rate - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        min(lines, key=lambda line: len(line.waiting)).send(data, done)
    await over
    return took


def processor_time(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(port, pid, count, rate):
    loop = asyncio.get_running_loop()
    lines = [(await loop.create_connection(Line, "127.0.0.1", port))[1] for _ in range(CONNECTIONS)]
    await closed(lines, [request(number) for number in range(10**9, 10**9 + 500)])  # warm
    for what, send in (("as many as come through", closed), (f"{rate:,} a second", steady)):
        requests = [request(number + (0 if send is closed else count)) for number in range(count)]
        used, mine, begin = processor_time(pid), time.process_time(), time.perf_counter()
        took = sorted(await (send(lines, requests) if send is closed else send(lines, requests, rate)))
        seconds, each = time.perf_counter() - begin, (processor_time(pid) - used) / count * 1e6
        sender = (time.process_time() - mine) / count * 1e6
        print(
            f"{what:<26}{count / seconds:8,.0f} acknowledged a second   ({each:.0f} us of the gateway's processor time each, {sender:.0f} of the sender's)"
        )
        shown = "  ".join(f"p{part} {took[min(count - 1, count * part // 100)] * 1e3:.1f}" for part in (50, 90, 99))
        print(f"{'':<26}milliseconds to the acknowledgement: {shown}")
    for line in lines:
        line.transport.close()


def main():
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]), int(sys.argv[3]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    rate = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as place:
        gateway = subprocess.Popen([sys.executable, __file__, "--serve", place, str(port)])
        try:
            for _ in range(600):
                with socket.socket() as asked:
                    if asked.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            asyncio.run(measure(port, gateway.pid, count, rate))
        finally:
            gateway.terminate()
            gateway.wait()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
