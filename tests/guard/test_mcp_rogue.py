"""Servers that crash, hang, flood, send nonsense and guess: the session holds, or it ends; nothing passes that should not."""

import json
import os
import signal
import sys
from contextlib import asynccontextmanager

import anyio
import pytest
from guarding import alive, wait_for
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp_wiring import HERE, in_loop, words

from remit.core.errors import GuardError
from remit.guard.daemon.daemon_client import Daemon
from remit.guard.mcp.relay import Relay
from remit.guard.mcp.server_process import child

ROGUE = [sys.executable, str(HERE / "mcp_rogue.py")]


@asynccontextmanager
async def rogue(world, *more, environ=None, **callbacks):
    """A client of a server that is a program."""
    ended = []
    async with create_client_server_memory_streams() as (client, front), anyio.create_task_group() as tasks:

        async def proxy():
            async with child([*ROGUE, *more], environ or {}, world.said.append) as server:
                ended.append(
                    await Relay(world.settings(), Daemon("mcp", world.state), world.files, world, front, server).run()
                )

        tasks.start_soon(proxy)
        async with ClientSession(*client, **callbacks) as session:
            session.ended = ended
            await session.initialize()
            yield session
        tasks.cancel_scope.cancel()


@in_loop
async def test_a_server_that_crashes(world):
    async with rogue(world) as client:
        await client.list_tools()
        with pytest.raises(MCPError, match="the server ended before it answered"):
            await client.call_tool("crash", {})
        while not client.ended:  # noqa: ASYNC110  it is over in a moment
            await anyio.sleep(0.01)
        assert client.ended == ["server"]
    assert world.told(kind="failed", tool="mcp__srv__crash")


@pytest.mark.timeout(300)  # it hangs for an hour
@pytest.mark.parametrize("way", ["hang", "stop"])
@in_loop
async def test_a_server_that_hangs(world, way):
    world.options = {"answer_within": 0.5}
    async with rogue(world) as client:
        await client.list_tools()
        with pytest.raises(MCPError, match=r"did not answer within 0\.5 seconds"):
            await client.call_tool(way, {})


@in_loop
async def test_a_server_that_floods(world):
    seen = []

    async def logs(params):
        seen.append(params.data)

    async with rogue(world, logging_callback=logs) as client:
        assert words(await client.call_tool("flood", {})) == "flood"
        assert words(await client.call_tool("echo", {})) == "echo"
    assert seen[:3] == [0, 1, 2]


@in_loop
async def test_a_server_that_sends_nonsense(world):
    async with rogue(world) as client:
        assert words(await client.call_tool("invalid", {})) == "invalid"
        assert words(await client.call_tool("echo", {})) == "echo"
    assert sum("no message" in text for text in world.said) >= 6


@in_loop
async def test_a_server_that_sends_a_line_without_end(world):
    async with rogue(world) as client:
        await client.list_tools()
        with pytest.raises(MCPError, match="the server ended"):
            await client.call_tool("line", {})
    assert any("a line of more than" in text for text in world.said)


@in_loop
async def test_a_server_that_answers_what_nobody_asked(world):
    async with rogue(world) as client:
        with pytest.raises(MCPError, match="first"):
            await client.call_tool("guess", {})
        assert words(await client.call_tool("echo", {})) == "echo"
    assert any("answered a request that was not sent" in text for text in world.said)
    assert not any("forged" in event["text"] for event in world.told())


@in_loop
async def test_a_server_that_asks_without_end(world):
    async def no_roots(context):
        await anyio.sleep(30)

    async with rogue(world, list_roots_callback=no_roots) as client:
        assert words(await client.call_tool("asks", {})) == "asks"
    assert not world.told(tool="mcp__srv__secrets/list")


@in_loop
async def test_a_server_gets_no_variable_that_is_not_named(world):
    async with rogue(world, environ={"GIVEN": "1"}) as client:
        found = json.loads(words(await client.call_tool("env", {})))
    assert found.pop("GIVEN") == "1"
    assert set(found) <= {"LC_CTYPE"}  # which Python sets itself


@pytest.mark.parametrize("more", [[], ["ignore-signals"]])
@in_loop
async def test_a_server_and_what_it_started_end_with_the_session(world, more):
    async with rogue(world, *more) as client:
        pids = [int(word) for word in words(await client.call_tool("child", {})).split()]
        assert all(map(alive, pids))
    wait_for(lambda: not any(map(alive, pids)))


def test_a_server_ends_when_the_proxy_is_killed(world):
    words = world.program("--name", "srv", "--first-use", "accept", "--", *ROGUE)
    reading, writing = os.pipe()
    answers, out = os.pipe()
    pid = os.posix_spawn(
        words.command, [words.command, *words.args], {**words.env, "HOME": str(world.state)},
        file_actions=[(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_DUP2, out, 1)],
    )  # fmt: skip
    asked = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}},
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "child"}},
    ]
    with open(writing, "wb", buffering=0) as sending, open(answers, "rb") as got:
        sending.write(json.dumps({"jsonrpc": "2.0", **asked[0]}).encode() + b"\n")
        assert b'"serverInfo"' in got.readline()
        sending.writelines(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in asked[1:])
        result = json.loads(got.readline())["result"]
        server = int(result["content"][0]["text"].split()[0])
        started = int(result["content"][0]["text"].split()[1])
        assert alive(server)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        wait_for(lambda: not alive(server))
        os.kill(started, signal.SIGKILL)  # what the server started itself is not ours to find any more
    os.close(reading)
    os.close(out)


@in_loop
async def test_a_program_that_is_not_there(world):
    with pytest.raises(GuardError, match="there is no program"):
        async with child(["no-such-program-here"], {}, world.said.append):
            pass
    with pytest.raises(GuardError, match="cannot be started"):
        async with child([sys.executable, "a\0b"], {}, world.said.append):
            pass
