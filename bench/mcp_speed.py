"""What the proxy of `remit guard mcp` adds to a call of a tool, beside the same server without it.

bench/mcp_speed.py [--calls N]
prints milliseconds of one run with the load of the machine: medians of calls one after the other, with a daemon that decides nothing.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

import remit

SOURCE = str(Path(remit.__file__).resolve().parent.parent)
SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    result = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}},
        "tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": "hello"}]},
    }.get(message["method"])
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
DAEMON = """
import sys
from pathlib import Path
from remit.guard.daemon.run import run
from remit.guard.event import PASS
from remit.guard.hosts.registry import find_host
class Passing:
    def __init__(self, folder): pass
    def decide(self, event): return PASS
    def slow(self, event): return False
    def consult(self, event, verdict): return False
    def close(self): pass
run(Path(sys.argv[1]), Passing, find_host)
"""


async def measure(command, calls):
    """The median of a call, and how long it takes until the first one can be made."""
    start = time.monotonic()
    program = StdioServerParameters(command=command[0], args=command[1:], env={"PYTHONPATH": SOURCE})
    async with stdio_client(program) as streams, ClientSession(*streams) as client:
        await client.initialize()
        await client.list_tools()
        await client.call_tool("echo", {"text": "x"})
        ready = time.monotonic() - start
        times = []
        for _ in range(calls):
            start = time.monotonic()
            await client.call_tool("echo", {"text": "x"})
            times.append(time.monotonic() - start)
    return statistics.median(times) * 1000, ready * 1000


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=300)
    calls = options.parse_args().calls
    with tempfile.TemporaryDirectory(prefix="rb") as name:
        folder = Path(name)
        (folder / "w").mkdir()
        (folder / "server.py").write_text(SERVER)
        server = [sys.executable, str(folder / "server.py")]
        command = [sys.executable, "-c", DAEMON, str(folder / "s")]
        daemon = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": SOURCE})
        try:
            daemon.stdout.read(1)
            options = ["--state", str(folder / "s"), "--workspace", str(folder / "w"), "--first-use", "accept"]
            proxy = [sys.executable, "-m", "remit.cli", "guard", "mcp", "--name", "b", *options, "--", *server]
            bare, bare_ready = anyio.run(measure, server, calls)
            through, ready = anyio.run(measure, proxy, calls)
        finally:
            daemon.kill()
            daemon.communicate()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {calls} calls")
    print(f"a call without the proxy  {bare:7.2f} ms")
    print(f"a call through the proxy  {through:7.2f} ms   {through - bare:+.2f} ms, two decisions among them")
    print(f"until the first answer    {bare_ready:7.0f} ms   {ready - bare_ready:+.0f} ms through the proxy")


if __name__ == "__main__":
    main()
