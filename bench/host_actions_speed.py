"""What it costs an agent that its effects pass both policy servers: `act` over MCP, against the same effect done directly.

bench/host_actions_speed.py [--rounds N]
starts an installation of its own with the MCP server that hosts start, does the tasks of a small day (message, page, file, command) N times each,
previewed and committed, and prints milliseconds: p50 and p95 of both calls together, p50 of the same effect done by this process, and what is added.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "hosts"))
from authority_day import Day, running_day

if TYPE_CHECKING:
    from collections.abc import Callable


def direct(day: Day, said: dict[str, Any], mail: int) -> Callable[[], object]:
    """The same effect, without anybody else."""
    inputs = said["inputs"]
    match said["intent_id"]:
        case "SendMessage":

            def send() -> None:
                with smtplib.SMTP("127.0.0.1", mail) as link:
                    link.sendmail(
                        "agent@example.org", inputs["to"], f"Message-ID: <{'0' * 32}@x>\n\n{inputs['text']}\n"
                    )

            return send
        case "FetchResource":
            return lambda: urllib.request.urlopen(inputs["url"]).read()
        case "WriteWorkspaceFile":
            return lambda: (day.folder / "workspace" / inputs["path"]).write_text(inputs["text"])
        case _:
            return lambda: subprocess.run(shlex.split(inputs["command"]), capture_output=True, check=True)


async def acted(session: Any, said: dict[str, Any]) -> float:
    """Milliseconds of a preview and its commit."""
    begun = time.perf_counter()
    first = json.loads((await session.call_tool("act", said)).content[0].text)
    told = json.loads(
        (await session.call_tool("act", {**said, "constraints": {"tx_id": first["tx_id"]}})).content[0].text
    )
    assert told["status"] == "OK", told
    return (time.perf_counter() - begun) * 1000


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


async def measured(day: Day, mail: int, rounds: int) -> None:
    """Print a line for each task."""
    from mcp import ClientSession, StdioServerParameters  # noqa: PLC0415  only this part needs it
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    words = ["-m", "remit.cli", "gateway", "mcp", "--folder", str(day.folder), "--credential", str(day.credential)]
    async with (
        stdio_client(StdioServerParameters(command=sys.executable, args=words)) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        print(f"{'task':20} {'p50':>8} {'p95':>8} {'directly':>9} {'added':>8}   milliseconds, {rounds} rounds")
        for said in day.tasks():
            await acted(session, said)  # what is compiled or opened once
            times = sorted([await acted(session, said) for _ in range(rounds)])
            plain = statistics.median(timed(direct(day, said, mail)) for _ in range(rounds))
            p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
            print(f"{said['intent_id']:20} {p50:8.1f} {p95:8.1f} {plain:9.1f} {p50 - plain:8.1f}")


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rb-") as name, running_day(Path(name)) as day:
        mail = json.loads((day.folder / "effects.json").read_bytes())["smtp"]["port"]
        asyncio.run(measured(day, mail, args.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
