"""A platform on this machine that does as it is told: what it was sent is kept, and it answers, breaks off, or keeps silent."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager
from typing import NamedTuple

from remit.gateway.inbound.channels.platform_requests import new_client


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


def answer(status, value=b"", **headers):
    """Bytes of an answer; names of headers are written with `_` in place of `-`."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    lines = [
        f"HTTP/1.1 {status} X",
        f"content-length: {len(body)}",
        *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Server:
    """`does`: what happens after a request was read: bytes to answer with, or a coroutine function of the writer."""

    def __init__(self, does, *, reads=True):
        self.does, self.reads = does, reads
        self.asked, self.connections = [], 0

    async def __call__(self, reader, writer):
        self.connections += 1
        try:
            if self.reads:
                self.asked.append(await _read(reader))
            if callable(self.does):
                await self.does(writer)
            else:
                writer.write(self.does)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {}
    for line in filter(None, head[1:]):
        name, value = line.split(": ", 1)
        assert name.lower() not in headers
        headers[name.lower()] = value
    return Asked(method, path, headers, await reader.readexactly(int(headers["content-length"])))


@asynccontextmanager
async def serving(server):
    """Where it is reached, and a client."""
    running = await asyncio.start_server(server, "127.0.0.1", 0)
    port = running.sockets[0].getsockname()[1]
    async with new_client() as client:
        yield f"http://127.0.0.1:{port}", client
    running.close()


def sent(world, piece, server, **fields):
    """What became of a piece that was sent to a server."""

    async def go():
        async with serving(server) as (url, client):
            return await world.channel(client, **{"api": url} | fields).send(piece)

    return asyncio.run(go())


def sent_to(world, piece, url, **fields):
    """What became of a piece that was sent to an address."""

    async def go():
        async with new_client() as client:
            return await world.channel(client, **{"api": url} | fields).send(piece)

    return asyncio.run(go())


def closed_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
