"""What telemetry costs: decisions of the guard without it, with it off, and with it on (spans to a collector, figures, lines).

bench/telemetry_speed.py [--rounds N] [--calls N]     prints decisions a second of processor time and ratios of one run; exit status 1 if off is not free

The three take turns, round by round, on one real engine with one workspace, and the best rounds are compared: what others do on the machine only adds. `on` counts the threads that encode and
send, too; the collector is another process. Then what one call costs where nobody listens.
"""

from __future__ import annotations

import argparse
import contextlib
import http.server
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from pathlib import Path

from remit.core import telemetry
from remit.core.telemetry import Home
from remit.guard.daemon.dispatch import watched
from remit.guard.engine import make_engine
from remit.guard.event import Event, Kind, Outcome
from remit.guard.state_folder import prepared
from remit.telemetry.settings import TelemetrySettings
from remit.telemetry.startup import begin

OFF_MOST = 1.02  # times the work of a decision without telemetry
HOME = Home("a" * 32)


def main() -> int:
    words = argparse.ArgumentParser()
    words.add_argument("--rounds", type=int, default=30)
    words.add_argument("--calls", type=int, default=200)
    args = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="rt") as name, taking() as url:
        found = rounds(Path(name), url, args.rounds, args.calls)
    without, off, on = (min(found[one]) for one in ("without", "off", "on"))
    print(f"load {os.getloadavg()[0]:.2f}, {args.rounds} rounds of {args.calls} decisions each")
    for title, one in (("without", without), ("off", off), ("on", on)):
        print(f"{title:8} {1 / one:8.0f} decisions a second of processor time   ratio {one / without:.3f}")
    for title, seconds in unheard().items():
        print(f"{title:24} {seconds * 1e9:6.0f} ns where nobody listens")
    return 1 if off / without > OFF_MOST else 0


def rounds(folder: Path, url: str, times: int, calls: int) -> dict[str, list[float]]:
    """Seconds of processor time for a decision, in each way, round by round."""
    work = folder / "work"
    work.mkdir()
    (work / "a.txt").write_text("x")
    engine = make_engine(prepared(folder / "state").folder, lambda *_: True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    listener = begin("guard-0", TelemetrySettings(url, address, str(folder / "log"), "info"))
    numbers = iter(range(10**9))
    found: dict[str, list[float]] = {"without": [], "off": [], "on": []}

    def event() -> Event:
        args = {"file_path": str(work / "a.txt")}
        return Event("claude-code", Kind.BEFORE, "PreToolUse", "s1", str(work), "Read", args, str(next(numbers)))

    def off(one: Event):
        return watched(one, engine.decide) if telemetry.heard() else engine.decide(one)

    ways = {"without": (engine.decide, None), "off": (off, None), "on": (off, listener)}
    try:
        for number in range(times + 1):
            for name, (decide, listens) in sorted(ways.items(), key=lambda _: os.urandom(1)):
                events = [event() for _ in range(calls)]
                telemetry.listen(listens)
                begun = time.process_time()
                passed = sum(decide(one).outcome is Outcome.PASS for one in events)
                if listens is not None:
                    while listener.spans._waiting:  # noqa: SLF001  what is under way counts
                        time.sleep(0.05)
                took = time.process_time() - begun
                telemetry.listen(None)
                assert passed == calls
                if number:  # the first round warms up
                    found[name].append(took / calls)
    finally:
        listener.close(2)
        engine.close()
    return found


def unheard(times: int = 200_000) -> dict[str, float]:
    """Seconds for one call of each, without the loop around it."""

    def spans() -> None:
        for _ in range(times):
            with telemetry.span("remit.ask", HOME) as span:
                span.note(party="p0")

    def counts() -> None:
        for _ in range(times):
            telemetry.count("remit_guard_faults")

    def looks() -> None:
        for _ in range(times):
            telemetry.heard()

    def nothing() -> None:
        for _ in range(times):
            pass

    base = timed(nothing)
    return {
        "a look (guard)": (timed(looks) - base) / times,
        "a count": (timed(counts) - base) / times,
        "a span with an attribute": (timed(spans) - base) / times,
    }


def timed(work) -> float:
    best = []
    for _ in range(3):
        begun = time.process_time()
        work()
        best.append(time.process_time() - begun)
    return min(best)


@contextlib.contextmanager
def taking():
    """A collector that takes everything and keeps nothing, in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=collect, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        process.terminate()
        process.join()


def collect(told) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    told.send(server.server_address[1])
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
