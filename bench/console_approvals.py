"""How soon an answer in the console reaches a hook that waits; and how soon pages of a long log are there.

The daemon and the hook are those that users run. A hook is started and waits; when its question is in the page's stream, the page's POST
is sent; the figure is the time from then until the hook has ended. It is also given as a ratio to a whole hook for a call that needs no
answer, in the same run. The target is 200 ms. Pages of the log are given as ratios to those of a log of 100 records.

    .venv/bin/python bench/console_approvals.py [--rounds N] [--records N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

from audit_speed import entry
from remit.audit import Log
from remit.cli.arguments import parser
from remit.cli.console_work import OwnProcesses
from remit.guard.approvals.answers import seen_digest
from remit.guard.client.build import SCRIPT
from remit.guard.state_folder import StateFolder, prepared
from remit.guard.store import State, approvals, open_store
from remit.web.console.app import Console, make_console
from remit.web.console.server import listen
from remit.web.console.sessions import COOKIE, Sessions
from remit.web.console.settings import ConsoleSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = 200  # milliseconds
DAEMON = "import sys\nfrom remit.guard.daemon.run import main\nsys.exit(main(['', sys.argv[1]]))\n"
PAGES = (
    ("the newest records", "/audit"), ("one session", "/audit?session=s7"), ("one tool in one session", "/audit?session=s7&tool=Edit"),
    ("a text that nobody wrote", "/audit?text=nowhere"), ("a page in the middle", "/audit?before={middle}"), ("alarms", "/audit/alarms"),
)  # fmt: skip


class Visit:
    """Somebody who was let in."""

    def __init__(self, url: str, console: Console, client: httpx.Client) -> None:
        self.client = client
        self.base = url + console.sessions.base
        client.post(f"{url}/enter", data={"code": console.sessions.new_code()}).raise_for_status()
        session = console.sessions.of(client.cookies[COOKIE])
        assert session is not None
        self.token = session.token


@contextmanager
def visited(state: Path) -> Iterator[Visit]:
    """A console for a state folder, in a thread."""
    settings = ConsoleSettings((), state, state / "authority", port=0, who="whoever measures")
    console = Console(settings, Sessions(), OwnProcesses(parser().parse_args(["console"])))
    with listen(settings) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(make_console(console), log_level="error", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            with httpx.Client(headers={"origin": url}, timeout=60) as client:
                yield Visit(url, console, client)
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def daemon(places: StateFolder) -> Iterator[None]:
    """The guard's daemon, as a process."""
    words = [sys.executable, "-c", DAEMON, str(places.folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == b"+"
        try:
            yield
        finally:
            process.terminate()


def hook(places: StateFolder, workspace: Path, command: str) -> subprocess.Popen[bytes]:
    """A hook, started as a host does."""
    payload = {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(workspace), "permission_mode": "dontAsk",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
    }  # fmt: skip
    words = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code", "PreToolUse", "20", str(places.folder)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    return process


def answered(folder: Path, rounds: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds from an answer to the end of the hook, of its POST alone, and of whole hooks that need no answer."""
    places, workspace = prepared(folder / "state"), folder / "project"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "old.txt").write_text("x")
    store = open_store(places.database)
    took, posts, plain = [], [], []
    with (
        daemon(places),
        visited(places.folder) as visit,
        visit.client.stream("GET", f"{visit.base}/approvals/stream") as stream,
    ):
        told = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
        next(told)
        for _ in range(rounds):
            start = time.perf_counter()
            assert hook(places, workspace, "ls").wait() == 0
            plain.append((time.perf_counter() - start) * 1000)
            waits = hook(places, workspace, "rm old.txt")
            while next(told)["count"] != 1:
                pass
            (question,) = approvals(store, State.PENDING, int(time.time()))
            given = {"id": question.id, "answer": "once", "seen": seen_digest(question), "token": visit.token}
            start = time.perf_counter()
            assert visit.client.post(f"{visit.base}/approvals", data=given).status_code == 200
            posts.append((time.perf_counter() - start) * 1000)
            assert waits.wait() == 0
            took.append((time.perf_counter() - start) * 1000)
            assert waits.stdout is not None
            assert waits.stdout.read() in (b"", b"{}")  # it may run
            while next(told)["count"]:
                pass
    store.close()
    return took, posts, plain


def pages(folder: Path, records: int, times: int) -> dict[str, float]:
    """Milliseconds of pages of the log, each in the middle of many; the index is there."""
    folder.mkdir(mode=0o700)
    with Log.open(folder) as log:
        for first in range(0, records, 1000):
            numbers = range(first, min(first + 1000, records))
            log.append(
                *(replace(entry(one), session=f"s{one % 97}", tool=("Bash", "Edit")[one % 2]) for one in numbers)
            )
    found: dict[str, float] = {}
    with visited(folder) as visit:
        start = time.perf_counter()
        visit.client.get(f"{visit.base}/audit").raise_for_status()
        found["the first page of all, nothing indexed"] = (time.perf_counter() - start) * 1000
        while visit.client.get(f"{visit.base}/audit?session=nobody").text.count("looked at down to record 1,") != 1:
            time.sleep(0.1)
        for title, path in PAGES:
            taken = []
            for _ in range(times):
                start = time.perf_counter()
                visit.client.get(visit.base + path.format(middle=records // 2)).raise_for_status()
                taken.append((time.perf_counter() - start) * 1000)
            found[title] = statistics.median(taken)
    return found


def main() -> int:
    """Measure, and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=20)
    asked.add_argument("--records", type=int, nargs="*", default=[10_000, 100_000])
    args: Any = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="rb") as name:
        took, posts, plain = answered(Path(name), args.rounds)
        middle, least = statistics.median(took), statistics.median(plain)
        verdict = "ok" if middle < TARGET else "MISSED"
        print(f"answer in the page to the end of the hook   {middle:7.1f} ms   ratio {middle / least:5.2f}   {verdict}")
        print(f"  slowest of {args.rounds}: {max(took):.1f} ms; the POST alone: {statistics.median(posts):.1f} ms")
        print(f"  a whole hook that needs no answer: {least:.1f} ms")
        small = pages(Path(name) / "small", 100, 10)
        for count in args.records:
            print(f"pages of a log of {count:,} records; ratios to one of 100")
            for title, taken in pages(Path(name) / f"log{count}", count, 10).items():
                print(f"  {title:40} {taken:7.1f} ms   ratio {taken / small[title]:5.2f}")
    return 0 if middle < TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
