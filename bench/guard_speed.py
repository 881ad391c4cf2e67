"""What the guard adds to a tool call: the clients beside /bin/true and a bare Python, the daemon alone, and many sessions.

bench/guard_speed.py [--decider pass|store|engine] [--rounds N] [--sessions N]
prints milliseconds and ratios of one run, with the load of the machine; exit status 1 if a target is missed. `pass` decides nothing, `store`
keeps a document of each session, `engine` is what users run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from remit.guard.client.build import build_client, hook_command
from remit.guard.daemon.run import run, usual_engine
from remit.guard.event import PASS
from remit.guard.hosts.registry import find_host
from remit.guard.places import prepared
from remit.guard.store import load_session, open_store, save_session
from remit.guard.wire import Question, question_line, read_answer

HOST, EVENT = "claude-code", "PreToolUse"
PYTHON_MOST, COMPILED_MOST, P99_MOST, LEAST_A_SECOND = 15.0, 4.0, 5.0, 2000  # ms added, ms added, ms, decisions
FLAT = 2.0  # the last thousand sessions may take so many times as long as the first


class Passing:
    """Decides nothing."""

    def __init__(self, _folder):
        pass

    def decide(self, _event):
        return PASS

    def slow(self, _event):
        return False

    def own(self, _name, payload):
        return payload

    def close(self):
        pass


class Storing(Passing):
    """Replaces the document of the session at each decision."""

    def __init__(self, folder):
        super().__init__(folder)
        self.store = open_store(prepared(folder).database)

    def decide(self, event):
        kept = load_session(self.store, event.host, event.session)
        value = {"granted": ["file.read"] * 10, "count": kept.value["count"] + 1 if kept else 1}
        save_session(self.store, event.host, event.session, value, revision=kept.revision if kept else 0, now=1)
        return PASS


DECIDERS = {"pass": Passing, "store": Storing, "engine": usual_engine}


def payload(session: str) -> bytes:
    told = {"session_id": session, "transcript_path": "/tmp/t.jsonl", "cwd": "/tmp", "permission_mode": "default"}
    call = {"hook_event_name": EVENT, "tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "t1"}
    return json.dumps({**told, **call}).encode()


def ask(path: str, body: bytes) -> float:
    """One decision by a bare socket; milliseconds."""
    begun = time.perf_counter()
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        link.sendall(question_line(Question(HOST, EVENT, len(body))) + body)
        data = b"".join(iter(lambda: link.recv(65536), b""))
    taken = time.perf_counter() - begun
    read_answer(data)
    return taken * 1000


def spawned(command, body: bytes) -> tuple[float, float]:
    """One run of a program: milliseconds by the clock, and of its own work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run(command, input=body, capture_output=True, check=False)
    taken = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr.decode()}")
    return taken * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def work_of(pid: int) -> float:
    """Seconds that a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def clients(places, rounds: int) -> bool:
    commands = {
        "/bin/true": ("/bin/true",),
        "python -I -S -c pass": (sys.executable, "-I", "-S", "-c", "pass"),
        "Python client": hook_command(HOST, EVENT, 20, str(places.folder)),
    }
    if build_client(places) is not None:
        commands["compiled client"] = hook_command(HOST, EVENT, 20, str(places.folder), places.client)
    times: dict[str, list[float]] = {name: [] for name in commands}
    works: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):  # in turn, so that the load of the machine falls on all alike
        for name, command in commands.items():
            taken, worked = spawned(command, payload("bench"))
            times[name].append(taken)
            works[name].append(worked)
    middle = {name: statistics.median(found) for name, found in times.items()}
    true, bare = middle["/bin/true"], middle["python -I -S -c pass"]
    print(f"{'':24}{'median ms':>10}{'p95':>8}{'x true':>8}{'x python':>10}{'added':>8}{'own work':>10}")
    for name, value in middle.items():
        late = sorted(times[name])[int(rounds * 0.95)]
        print(
            f"{name:24}{value:10.2f}{late:8.2f}{value / true:8.2f}{value / bare:10.2f}{value - true:8.2f}{statistics.median(works[name]):10.2f}"
        )
    good = middle["Python client"] - true <= PYTHON_MOST
    return good and middle.get("compiled client", true) - true <= COMPILED_MOST


def summary(times) -> tuple[float, float]:
    found = sorted(times)
    return found[len(found) // 2], found[int(len(found) * 0.99)]


def daemon_alone(places, pid: int, rounds: int, sessions: int) -> bool:
    path = str(places.socket)
    half, late = summary(ask(path, payload("bench")) for _ in range(rounds * 20))
    print(f"one after the other: p50 {half:.3f} ms, p99 {late:.3f} ms")
    begun, before = time.perf_counter(), work_of(pid)
    command = [sys.executable, __file__, "--ask", path, str(rounds * 20)]
    askers = [subprocess.Popen(command) for _ in range(4)]
    if any(asker.wait() for asker in askers):
        raise SystemExit("an asker failed")
    # the askers' own start is not the daemon's: it is measured and taken off
    rate = 4 * rounds * 20 / (time.perf_counter() - begun - start_of_asker(command))
    own = (work_of(pid) - before) / (4 * rounds * 20)
    print(
        f"4 askers on {os.cpu_count()} cores: {rate:.0f} decisions a second; the daemon's own work {own * 1e6:.0f} us each"
    )
    times = [ask(path, payload(f"s{number}")) for number in range(sessions)]
    part = max(sessions // 10, 1)
    (first, first_late), (last, last_late) = summary(times[:part]), summary(times[-part:])
    print(
        f"{sessions} sessions: the first {part} p50 {first:.3f} p99 {first_late:.3f}, the last {part} p50 {last:.3f} p99 {last_late:.3f}"
    )
    return late <= P99_MOST and rate >= LEAST_A_SECOND and last <= first * FLAT


def start_of_asker(command) -> float:
    begun = time.perf_counter()
    askers = [subprocess.Popen([*command[:-1], "0"]) for _ in range(4)]
    for asker in askers:
        asker.wait()
    return time.perf_counter() - begun


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--decider", choices=DECIDERS, default="pass")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--daemon", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ask", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.daemon:
        run(given.daemon, DECIDERS[given.decider], find_host)
        return 0
    if given.ask:
        body = payload("bench")
        for _ in range(int(given.ask[1])):
            ask(given.ask[0], body)
        return 0
    with tempfile.TemporaryDirectory(prefix="rg") as name:
        places = prepared(Path(name) / "state")
        command = [sys.executable, __file__, "--decider", given.decider, "--daemon", str(places.folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as daemon:
            try:
                assert daemon.stdout is not None
                assert daemon.stdout.read(1) == b"+"
                print(f"decider: {given.decider}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
                good = [clients(places, given.rounds), daemon_alone(places, daemon.pid, given.rounds, given.sessions)]
            finally:
                daemon.terminate()
    print("every target is met" if all(good) else "a target is missed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
