"""Who sends slowly, endlessly or too much holds nothing up: connections end, and nothing is kept of what they sent."""

import asyncio
import contextlib
import os

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.wire import server as wire_server
from remit.authority.wire.address import Address, Peers
from remit.authority.wire.bodies import read_body
from remit.authority.wire.server import Served, serve_all

POST = b"POST /take HTTP/1.1\r\nhost: x\r\n"


async def take(request):
    data = await read_body(request, 1000)
    return JSONResponse({"size": len(data)}) if data is not None else Response(status_code=413)


async def told(path, parts, pause=0.0):
    """What a server answers to parts that are sent one after another; nothing if it closes."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            if pause < 0:
                return b""  # leaves
            await asyncio.sleep(pause)
        return await asyncio.wait_for(reader.read(4096), 30)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def served(tmp_path, *asked):
    """Answers of a server to some connections, one after another."""
    path = tmp_path / "s.sock"

    async def run():
        app = Starlette(routes=[Route("/take", take, methods=["POST"])])
        peers = Peers(users=frozenset({os.getuid()}))
        server = asyncio.create_task(serve_all(Served(app, Address(path=str(path)), peers, None)))
        for _ in range(3000):
            if path.exists():
                break
            await asyncio.sleep(0.01)
        out = [await told(path, *one) for one in asked]
        server.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await server
        return out

    return asyncio.run(run())


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(wire_server, "_WHOLE", 0.3)


def test_a_request_that_does_not_arrive_is_not_waited_for(tmp_path, hurried):
    slow = [POST + b"content-length: 5\r\n\r\n", b"a"]
    nothing, half, body, fine = served(
        tmp_path, ([b""],), ([POST],), (slow,), ([POST + b"content-length: 5\r\n\r\n", b"abcde"], 0.05)
    )
    assert (nothing, half, body) == (b"", b"", b"")
    assert b'{"size":5}' in fine


def test_a_second_request_that_does_not_arrive_is_not_waited_for(tmp_path, hurried):
    whole = POST + b"content-length: 1\r\n\r\na"
    (both,) = served(tmp_path, ([whole, whole[:-1]],))
    assert both.count(b"HTTP/1.1 200") == 1


def test_a_head_has_an_end(tmp_path):
    long, many, address, fine = served(
        tmp_path,
        ([POST + b"a: " + b"x" * 60_000, b"x" * 60_000],),
        ([POST, *[b"a: b\r\n" * 5000] * 6],),
        ([b"POST /" + b"x" * 60_000, b"x" * 60_000],),
        ([POST + b"a: " + b"x" * 30_000 + b"\r\ncontent-length: 1\r\n\r\na"],),
    )
    assert not any(b"200" in one for one in (long, many, address))
    assert b'{"size":1}' in fine


def test_a_body_has_an_end_and_who_leaves_is_no_error(tmp_path, caplog):
    much, chunks, left, fine = served(
        tmp_path,
        ([POST + b"content-length: 5000\r\n\r\n" + b"x" * 5000],),
        ([POST + b"transfer-encoding: chunked\r\n\r\n", *[b"400\r\n" + b"x" * 1024 + b"\r\n"] * 3, b"0\r\n\r\n"],),
        ([POST + b"content-length: 500\r\n\r\nx"], -1),
        ([POST + b"content-length: 1\r\n\r\na"],),
    )
    assert b"413" in much
    assert b"413" in chunks
    assert left == b""
    assert b'{"size":1}' in fine
    assert "Traceback" not in caplog.text


def test_a_door_has_one_name(tmp_path):
    (other,) = served(tmp_path, ([b"POST /take/ HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n"],))
    assert b"404" in other
