"""A gateway is killed (-9) at random moments and started again, while many peers speak through a signed webhook, send again what was not
acknowledged, and things that were; a program of the test's own takes the answers, refuses some, and fails at some.
"""

import asyncio
import hashlib
import hmac
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SECRET = "storm-secret-of-both-ends"
CHANNEL, ACCOUNT = "storm", "here"
SETTINGS = f"""
[access]
bind = "loopback"
[limits]
burst = 100000
[channels.{CHANNEL}]
kind = "webhook"
account = "{ACCOUNT}"
direct = "named"
named = [{", ".join(f'"peer{number}"' for number in range(64))}]
secret_file = "secret"
api = "http://127.0.0.1:%d/answers"
"""


class Answer(NamedTuple):
    """What the program of the test was told, and whether it took it."""

    to: str
    trace: str
    text: str


def signed(body, direction=b"in"):
    stamp = str(int(time.time())).encode()
    mark = hmac.new(SECRET.encode(), direction + b":" + stamp + b":" + body, hashlib.sha256).hexdigest().encode()
    return b"x-remit-timestamp: %b\r\nx-remit-signature: v1=%b\r\n" % (stamp, mark)


class Wire:
    """One connection to the gateway, opened again when it broke."""

    def __init__(self, port):
        self._port, self._streams = port, None

    async def post(self, body):
        """The status; 0 if there is no answer: then nobody knows whether it was heard."""
        try:
            async with asyncio.timeout(20):
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self._port)
                reader, writer = self._streams
                head = b"POST /channels/%b HTTP/1.1\r\nhost: gateway\r\ncontent-length: %d\r\n" % (
                    CHANNEL.encode(),
                    len(body),
                )
                writer.write(head + signed(body) + b"\r\n" + body)
                told = await reader.readuntil(b"\r\n\r\n")
                length = int(told.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                return int(told.split()[1])
        except (OSError, asyncio.IncompleteReadError, TimeoutError, IndexError):
            self.close()
            return 0

    def close(self):
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


class Sink:
    """Where answers go. A piece in fifty is refused for a second, one in a hundred is taken or not and answered with 500."""

    def __init__(self, draw):
        self.taken, self.refused, self._draw = [], 0, draw

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            body = await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
            told, drawn = json.loads(body), self._draw.random()
            assert told["to"], told
            status = b"429 x\r\nretry-after: 1" if drawn < 0.02 else b"500 x" if drawn < 0.03 else b"200 x"
            self.refused += status[:3] != b"200"
            if status[:3] == b"200" or 0.02 <= drawn < 0.025:
                self.taken.append(Answer(told["to"], told["trace"], told["text"]))
            writer.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            await writer.drain()
        writer.close()


class Gateway:
    """The process."""

    def __init__(self, folder, sink_port, fault="none", database=""):
        self.folder, self.fault = folder, fault
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        for name, text in (("secret", SECRET), ("database", database)):
            (folder / name).write_text(text)
            (folder / name).chmod(0o600)
        self.settings = folder / "storm.toml"
        self.settings.write_text(SETTINGS % sink_port + ('[store]\npostgres_file = "database"\n' if database else ""))
        self.env = {**os.environ, "REMIT_STATE": str(folder)}
        for name in ("CLAUDECODE", "REMIT_AGENT"):
            self.env.pop(name, None)
        self.process = self.maker = None

    def start(self):
        if self.maker is None:
            script = str(Path(__file__).with_name("inbound_faults.py"))
            words = ["gateway", "up", "--port", str(self.port), "--settings", str(self.settings)]
            with (self.folder / "out").open("a") as out:
                self.maker = subprocess.Popen(
                    [sys.executable, script, "forks", self.fault, *words],
                    env=self.env, stdout=subprocess.PIPE, stderr=out, stdin=subprocess.PIPE,
                )  # fmt: skip
        self.maker.stdin.write(b"\n")
        self.maker.stdin.flush()
        self.process = int(self.maker.stdout.readline())

    def _lives(self):
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        return True

    async def ready(self):
        for _ in range(1200):
            assert self._lives(), (self.folder / "out").read_text()[-4000:]
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            await asyncio.sleep(0.05)
        raise AssertionError((self.folder / "out").read_text()[-4000:])

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        while self._lives():
            time.sleep(0.005)

    def end(self):
        """No more of them."""
        self.kill()
        self.maker.stdin.close()
        self.maker.stdout.close()
        self.maker.wait()


class Said:
    """What peers said, and what they were told."""

    def __init__(self):
        self.acked = {}  # event: peer, in the order in which each peer was told that we have it
        self.statuses = Counter()
        self.ended = lambda: 0  # how many were answered
        self.unanswered = 0  # how many are taken to be without an answer for good


def event_of(peer, number):
    """Its words name the peer and the event, and nothing else does."""
    name = f"{peer}-{number:06}"
    return name, json.dumps(
        {"id": name, "message": name, "from": peer, "text": f"I am <{peer}> and say <{name}>"}
    ).encode()


async def peer(said, name, port, until, draw, how):
    """One event after the other, each until it is acknowledged; now and then twice at a time, or one of long ago again."""
    one, two, number = Wire(port), Wire(port), 0
    while not until.is_set():
        number += 1
        event, body = event_of(name, number)
        while not until.is_set():
            wires = (one, two) if draw.random() < 0.3 else (one,)
            statuses = await asyncio.gather(*(wire.post(body) for wire in wires))
            said.statuses.update(statuses)
            if 200 in statuses:
                said.acked[event] = name
                break
            await asyncio.sleep(0.2)
        if draw.random() < how.again:
            said.statuses[await two.post(event_of(name, draw.randint(1, number))[1])] += 1
        await asyncio.sleep(draw.uniform(*how.pause))
        for _ in range(50):  # nobody talks on and on to somebody who does not answer
            if len(said.acked) - said.ended() < how.ahead + said.unanswered:
                break
            await asyncio.sleep(0.2)
        else:  # what is unknown is never answered: it holds nobody up for ever
            said.unanswered = len(said.acked) - said.ended()
    one.close()
    two.close()


class Storm(NamedTuple):
    """What came of it."""

    said: Said
    taken: list[Answer]
    kills: int
    busy: int  # kills of a gateway that had acknowledged something since it was started
    seconds: float
    settled: bool  # nothing waited any more in the end


class How(NamedTuple):
    """How much is said."""

    peers: int = 12
    pause: tuple[float, float] = (0.05, 0.4)  # seconds between two events of a peer
    again: float = 0.15  # how often one of long ago is sent again
    ahead: int = 150  # how many may wait for an answer before peers wait too
    patience: int = 900  # seconds in which everything comes to an end after the last kill


USUAL = How()


async def storm(gateway_of, kills, over, how=USUAL, seed=7, tell=None):
    """`gateway_of`: makes the gateway, given the port for answers; `over`: whether everything in its store has come to an end."""
    draw, said, done, began, busy = random.Random(seed), Said(), asyncio.Event(), time.monotonic(), 0
    async with Sink(draw) as sink:
        said.ended = lambda: len(sink.taken)
        gateway = gateway_of(sink.port)
        gateway.start()
        await gateway.ready()
        clients = [asyncio.create_task(peer(said, f"peer{n}", gateway.port, done, draw, how)) for n in range(how.peers)]
        try:
            before = 0
            for number in range(kills):
                if number % 8 != 7:  # else it is killed while it starts
                    await gateway.ready()
                    if number % 2 == 0:  # else it may be killed before it acknowledged anything
                        await _acknowledged(said, before)
                await asyncio.sleep(draw.uniform(0.05, 1.5))
                busy += len(said.acked) > before
                gateway.kill()
                before = len(said.acked)
                gateway.start()
                if tell and number % 10 == 9:
                    tell(
                        f"{number + 1} kills, {time.monotonic() - began:.0f} s, {len(said.acked)} events, {len(sink.taken)} answers, {dict(said.statuses)}"
                    )
            await gateway.ready()
            await asyncio.sleep(0.5)
            done.set()
            await asyncio.gather(*clients)
            settled = await _settled(over, how.patience)
        finally:
            done.set()
            gateway.end()
            await asyncio.gather(*clients, return_exceptions=True)
        return Storm(said, sink.taken, kills, busy, time.monotonic() - began, settled)


async def _acknowledged(said, before):
    """Until one more event is acknowledged than before."""
    async with asyncio.timeout(300):
        while len(said.acked) <= before:  # noqa: ASYNC110  what it waits for knows of no event
            await asyncio.sleep(0.01)


async def _settled(over, seconds):
    for _ in range(seconds * 2):
        if await asyncio.to_thread(over):
            return True
        await asyncio.sleep(0.5)
    return False
