"""`remit guard mcp` as clients start it: real programs, at standard input and over HTTP on loopback."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import anyio
import httpx2
import pytest
from guarding import alive, kill_daemon, trust_defaults, wait_for
from mcp.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_wiring import HERE, SOURCE, World, in_loop, words

from each_row import each_row
from remit.cli.arguments import parser
from remit.cli.guard_mcp import default_name, environment, headers
from remit.core.errors import UsageError
from remit.guard.mcp.run import MOST_SESSIONS
from remit.guard.mcp.server_process import checked_url
from remit.guard.state_folder import StateFolder, prepared
from remit.guard.store import State, answer_approval, approvals, open_store

SERVER = [sys.executable, str(HERE / "mcp_server.py"), "stdio"]
PYTHON = ["--first-use", "accept", "--env", f"PYTHONPATH={SOURCE}"]


@in_loop
async def test_at_standard_input(world, capfd):
    program = world.program("--name", "srv", *PYTHON, "--", *SERVER)
    async with stdio_client(program) as streams, ClientSession(*streams) as client:
        await client.initialize()
        assert words(await client.call_tool("echo", {"text": "x"})) == '{"text": "x"}'
        assert "told so" in words(await client.call_tool("danger", {}))
        found = json.loads(words(await client.call_tool("env", {})))
        assert not {"HOME", "PATH", "USER"} & set(found)
    changed = world.program("--name", "srv", *PYTHON, "--", *SERVER, "--changed")
    async with stdio_client(changed) as streams, ClientSession(*streams) as client:
        await client.initialize()
        assert (await client.call_tool("echo", {"text": "x"})).is_error


@in_loop
async def test_a_client_of_the_newest_protocol_falls_back(world):
    async with Client(world.program("--name", "srv", *PYTHON, "--", *SERVER)) as client:
        assert words(await client.call_tool("echo", {"text": "x"})) == '{"text": "x"}'
        assert client.protocol_version == "2025-11-25"


def test_the_status_says_who_ended(world):
    program = world.program("--name", "srv", "--", "true")
    done = subprocess.run(
        [program.command, *program.args], env={**os.environ, **program.env}, input=b"", capture_output=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1)  # both ended at once
    assert done.stdout == b""
    program = world.program("--name", "srv", "--", "no-such-program-here")
    done = subprocess.run(
        [program.command, *program.args], env={**os.environ, **program.env}, stdin=subprocess.PIPE, capture_output=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert b"there is no program" in done.stderr


def test_a_state_folder_in_the_workspace_is_refused(world, capfd):
    program = world.program("--workspace", str(world.state.parent), "--name", "srv", "--", "true")
    done = subprocess.run(
        [program.command, *program.args], env={**os.environ, **program.env}, input=b"", capture_output=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"is in the workspace" in done.stderr


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(command, ready):
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": SOURCE}, stderr=subprocess.PIPE, text=True)
    try:
        yield process, ready(process)
    finally:
        process.terminate()
        process.communicate(timeout=300)


@contextmanager
def remote():
    """A server of the package at a port."""
    port = free_port()

    def ready(_process):
        end = time.monotonic() + 300
        while time.monotonic() < end:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", port)):
                    return f"http://127.0.0.1:{port}/mcp"
            time.sleep(0.05)
        raise AssertionError("the server does not listen")

    with running([sys.executable, str(HERE / "mcp_server.py"), "http", str(port)], ready) as (_, url):
        yield url


@contextmanager
def listening(world, *more):
    """The proxy at a port."""
    program = world.program("--name", "srv", "--listen", "127.0.0.1:0", *more)

    def ready(process):
        return re.search(r"http://\S+", process.stderr.readline())[0]

    with running([program.command, *program.args], ready) as (process, url):
        yield process, url


async def use(url):
    progress = []

    async def on_progress(*step):
        progress.append(step)

    async def elicit(context, params):
        from mcp_types import ElicitResult

        return ElicitResult(action="accept", content={"answer": "allow once"})

    async with streamable_http_client(url) as streams, ClientSession(*streams, elicitation_callback=elicit) as client:
        await client.initialize()
        assert words(await client.call_tool("echo", {"text": "x"})) == '{"text": "x"}'
        assert "told so" in words(await client.call_tool("danger", {}))
        assert words(await client.call_tool("asky", {"text": "y"})) == '{"text": "y"}'
        assert words(await client.call_tool("progress", {}, progress_callback=on_progress)) == "done"
        assert len(progress) == 3
        results = {}

        async def call(number):
            results[number] = words(await client.call_tool("echo", {"text": str(number)}))

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(call, number)
        assert results == {number: json.dumps({"text": str(number)}) for number in range(20)}


def test_over_http_on_both_sides(world):
    with remote() as server, listening(world, "--first-use", "accept", "--http", server) as (_, url):
        anyio.run(use, url)


def test_over_http_to_a_server_that_is_a_program(world):
    with listening(world, *PYTHON, "--", *SERVER) as (process, url):
        anyio.run(use, url)
        refuse_strangers(url)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
        pids = [int(word) for word in children.stdout.split()]
    wait_for(lambda: not any(map(alive, pids)))


def refuse_strangers(url):
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }  # fmt: skip
    accept = {"accept": "application/json, text/event-stream"}

    def post(headers=None, path=url, body=hello):
        return httpx2.post(path, json=body, headers={**accept, **(headers or {})}, timeout=300, trust_env=False)

    assert post({"origin": "https://evil.example"}).status_code == 403
    assert post({"origin": "null"}).status_code == 403
    assert post({"host": "evil.example"}).status_code == 421
    assert post({"host": "127.0.0.1:1"}).status_code == 421
    assert post({"mcp-session-id": "0" * 64}).status_code == 404
    assert post({"mcp-protocol-version": "2026-07-28"}).json()["error"]["code"] == -32022
    assert post(path=url.replace("/mcp", "/")).status_code == 404
    assert post(body={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status_code == 400
    assert post(body={"x": "y" * (5 << 20)}).status_code == 413
    assert (
        httpx2.post(url, content=b"{", headers={**accept, "content-type": "text/plain"}, trust_env=False).status_code
        == 400
    )
    opened = [post() for _ in range(2)]
    names = {answer.headers["mcp-session-id"] for answer in opened}
    assert len(names) == 2
    assert all(len(name) == 64 for name in names)
    assert MOST_SESSIONS == 64


def test_redirects_to_another_host_are_not_followed(world):
    """The proxy is told to go elsewhere, and does not: what it would send there is a call with its arguments."""
    seen = []

    async def app(scope, receive, send):
        seen.append((scope["path"], dict(scope["headers"])))
        location = f"http://localhost:{port}/elsewhere".encode()
        await send({"type": "http.response.start", "status": 307, "headers": [(b"location", location)]})
        await send({"type": "http.response.body", "body": b""})

    import threading

    import uvicorn

    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_for(lambda: server.started)

    async def main():
        words = ["--name", "srv", "--http", f"http://127.0.0.1:{port}/mcp", "--header", "X-Key=k1"]
        async with stdio_client(world.program(*words)) as streams, ClientSession(*streams) as client:
            with pytest.raises(MCPError, match="Redirect"):
                await client.initialize()

    try:
        anyio.run(main)
    finally:
        server.should_exit = True
        thread.join(300)
    assert {path for path, _ in seen} == {"/mcp"}
    assert seen[0][1][b"x-key"] == b"k1"
    assert b"authorization" not in seen[0][1]


def test_a_signal_ends_the_proxy_and_its_server(world):
    program = world.program("--name", "srv", "--", sys.executable, str(HERE / "mcp_rogue.py"))
    process = subprocess.Popen(
        [program.command, *program.args], env={**os.environ, **program.env}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr.readline() == b"the server says hello\n"
    found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True)
    pids = [int(word) for word in found.stdout.split()]
    process.send_signal(signal.SIGTERM)
    process.stdin.close()
    process.wait(300)
    process.stdout.close()
    process.stderr.close()
    wait_for(lambda: not any(map(alive, pids)))


@each_row(
    ("command", "url", "name"),
    [
        (["npx", "-y", "@modelcontextprotocol/server-filesystem", "."], None, "server-filesystem"),
        (["uvx", "mcp-server-git@1.2"], None, "mcp-server-git"),
        (["python3", "-m", "my_server"], None, "my_server"),
        (["/usr/bin/node", "dist/index.js"], None, "index"),
        (["env", "A=b", "./server.py"], None, "server"),
        (["npx"], None, ""),
        ([], "https://mcp.example.com:8443/mcp", "mcp_example_com"),
    ],
)
def test_names_of_servers(command, url, name):
    assert default_name(command, url) == name


def test_headers_that_are_given(monkeypatch):
    monkeypatch.setenv("TOKEN", "t1")
    assert headers(["A-B=c=d"], ["Authorization=TOKEN"]) == {"A-B": "c=d", "Authorization": "t1"}
    for given, named in ((["A"], []), (["A="], []), (["A b=c"], []), (["A=b\nC: d"], []), ([], ["A=NO_SUCH_VARIABLE"])):
        with pytest.raises(UsageError):
            headers(given, named)


def test_variables_that_are_named(monkeypatch):
    monkeypatch.setenv("ONE", "1")
    assert environment(["ONE", "TWO=a=b"]) == {"ONE": "1", "TWO": "a=b"}
    for wrong in (["NO_SUCH_VARIABLE_HERE"], ["a b=c"], ["=x"]):
        with pytest.raises(UsageError):
            environment(wrong)


@each_row(
    "url",
    ["http://example.com/", "ftp://x/", "https://a:b@example.com/", "x", "http://127.0.0.1.evil.example/", "file:///x"],
)
def test_addresses_that_are_refused(url):
    with pytest.raises(UsageError):
        checked_url(url)


def test_addresses_that_are_taken():
    for url in ("https://mcp.example.com/mcp", "http://127.0.0.1:80/x", "http://localhost/x", "http://[::1]/x"):
        assert checked_url(url) == url


def test_words_after_the_dashes_belong_to_the_server():
    args = parser().parse_args(["guard", "mcp", "--name", "x", "--", "npx", "-y", "--name", "y"])
    assert (args.server, args.name, args.command) == (["npx", "-y", "--name", "y"], "x", "guard")


def test_nothing_but_the_proxy_needs_the_package():
    code = "import sys, remit.cli.guard_mcp, remit.guard.hosts.registry; assert not {'mcp', 'anyio', 'pydantic'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": SOURCE}, check=True)


def test_with_the_engine_of_this_version(tmp_path):
    """No decider of ours: the proxy starts the real daemon; a person accepts the server and one call, in the store."""
    state = tmp_path / "s"
    world = World(prepared(state).folder)
    trust_defaults(StateFolder(state), world.work, asked=("tool.invoke", "mcp__srv__*"))

    def answer(how):
        store, now = open_store(state / "guard.db"), int(time.time())
        try:
            (put,) = approvals(store, State.PENDING, now)
            answer_approval(store, put.id, how, now=now)
        finally:
            store.close()
        return put.shown["tool"]

    async def main():
        program = world.program("--name", "srv", "--", sys.executable, str(HERE / "mcp_rogue.py"))
        async with stdio_client(program) as streams, ClientSession(*streams) as client:
            await client.initialize()
            assert "no person has accepted" in words(await client.call_tool("echo", {}))
            assert answer(State.ONCE) == "pins"
            assert "A person must agree first" in words(await client.call_tool("echo", {}))
            assert answer(State.ONCE) == "mcp__srv__echo"
            assert words(await client.call_tool("echo", {})) == "echo"
            assert "A person must agree first" in words(await client.call_tool("echo", {}))

    try:
        anyio.run(main)
    finally:
        kill_daemon(StateFolder(state))
