"""What the guard adds to a tool call: the clients beside /bin/true and a bare Python, the daemon alone, and many sessions.

bench/guard_speed.py [--decider pass|store|engine] [--rounds N] [--sessions N]
prints milliseconds and ratios of one run, with the load of the machine; exit status 1 if a target is missed. `pass` decides nothing, `store`
keeps a document of each session, `engine` is what users run. One call is asked about again and again, by each asker in sessions of its
own, and then what agents really do (`guard_mix.py`): other calls in other sessions, each asked about before and told of afterwards.
Those who ask share the cores with the daemon: what they say is made before the clock starts, and their own work is printed too. On a busy
machine only the daemon's own work for an event (of all its processes) says something, and how many times that of a daemon beside it
is which decides nothing and is asked the same; `by its own work` is how many a second that would be, on one core and on all.
"""

from __future__ import annotations

import _socket
import argparse
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from guard_mix import Told, calls, make_workspace, one_call, opening, really
from remit.guard.client.build import build_client, hook_command
from remit.guard.daemon.protocol import HookAnswer, Question, answer_bytes, question_line
from remit.guard.daemon.run import run, usual_engine
from remit.guard.event import PASS
from remit.guard.hosts.registry import find_host
from remit.guard.state_folder import prepared
from remit.guard.store import load_session, open_store, save_session

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST, EVENT = "claude-code", "PreToolUse"
ASKERS, OWN_SESSIONS = 4, 3
PASSES = tuple(answer_bytes(HookAnswer(0, text)) for text in (b"", b"{}"))
INSIDE = b'"permissionDecision": "allow"'  # it passes, and runs inside of walls
# ms added to a bare Python, ms added, ms, ms, decisions
PYTHON_MOST, COMPILED_MOST, P99_MOST, NEW_P95_MOST, LEAST_A_SECOND = 15.0, 3.0, 5.0, 60.0, 2000
NEW = (
    "ls -la src/part{0}.py", "git log -n {0} --oneline | head -5", "grep -rn part{0} src", "sed -n 1,{0}p README.md > out/{0}.txt",
    "python3 -c 'print({0} + 1)'", "cd src && wc -l part{0}.py", "find . -name '*{0}*' | xargs wc -l", "mkdir -p out/{0} && cp README.md out/{0}/",
)  # fmt: skip
FLAT = 2.0  # the last thousand sessions may take so many times as long as the first


class Passing:
    """Decides nothing."""

    def __init__(self, _folder, _mine):
        pass

    def decide(self, _event):
        return PASS

    def slow(self, _event):
        return False

    def close(self):
        pass


class Storing(Passing):
    """Replaces the document of the session at each decision."""

    def __init__(self, folder, mine):
        super().__init__(folder, mine)
        self.store = open_store(prepared(folder).database)

    def decide(self, event):
        kept = load_session(self.store, event.host, event.session)
        value = {"granted": ["file.read"] * 10, "count": kept.value["count"] + 1 if kept else 1}
        save_session(self.store, event.host, event.session, value, revision=kept.revision if kept else 0, now=1)
        return PASS


DECIDERS = {"pass": Passing, "store": Storing, "engine": usual_engine}


def said(body: bytes, event: str = EVENT) -> bytes:
    """A whole question."""
    return question_line(Question(HOST, event, len(body))) + body


def ask(path: str, question: bytes) -> None:
    """One decision by a bare socket. All calls here are such that pass: a denial would be the time of an error."""
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    link.connect(path)
    link.sendall(question)
    data = link.recv(4096)
    while piece := link.recv(4096):
        data += piece
    link.close()
    if data not in PASSES and INSIDE not in data:
        raise SystemExit(f"{question.decode()}: {data!r}")


def timed(path: str, question: bytes) -> float:
    """One decision; milliseconds."""
    begun = time.perf_counter()
    ask(path, question)
    return (time.perf_counter() - begun) * 1000


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
    """Seconds that a daemon has worked: its first process, and those that decide."""
    workers = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    ticks = 0
    for one in (pid, *workers):
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def clients(places, root: Path, rounds: int) -> bool:
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
            taken, worked = spawned(command, one_call(root, "bench"))
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
    good = middle["Python client"] - bare <= PYTHON_MOST
    return good and middle.get("compiled client", true) - true <= COMPILED_MOST


def summary(times) -> tuple[float, float]:
    found = sorted(times)
    return found[len(found) // 2], found[int(len(found) * 0.99)]


def daemon_alone(places, root: Path, pid: int, beside: tuple[str, int] | None, rounds: int, sessions: int) -> bool:
    """`beside`: the socket and the process of a daemon that decides nothing."""
    path = str(places.socket)
    half, late = summary(timed(path, said(one_call(root, "bench"))) for _ in range(rounds * 20))
    print(f"one after the other: p50 {half:.3f} ms, p99 {late:.3f} ms")
    good = [many((path, pid), beside, root, what, count) for what, count in (("single", rounds * 20), ("mix", rounds))]
    times = [timed(path, said(one_call(root, f"s{number}"))) for number in range(sessions)]
    part = max(sessions // 10, 1)
    (first, first_late), (last, last_late) = summary(times[:part]), summary(times[-part:])
    print(
        f"{sessions} sessions: the first {part} p50 {first:.3f} p99 {first_late:.3f}, the last {part} p50 {last:.3f} p99 {last_late:.3f}"
    )
    return late <= P99_MOST and all(good) and last <= first * FLAT


def new_commands(path: str, root: Path, rounds: int) -> bool:
    """Commands that were never seen before, in a session without a skill and in one with a skill: nothing of them is remembered."""
    good = []
    for what, before in (("no skill", ()), ("a skill", tuple(opening(root, "new-a skill")))):
        for one in before:
            ask(path, said(one.body, one.event))
        commands = [text.format(number) for number in range(1, rounds + 1) for text in NEW]
        times = sorted(timed(path, said(one_call(root, f"new-{what}", one + f" # {what}"))) for one in commands)
        half, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"{len(times)} new commands, {what}: p50 {half:.2f} ms, p95 {late:.2f} ms")
        good.append(late <= NEW_P95_MOST)
    return all(good)


def many(daemon: tuple[str, int], beside: tuple[str, int] | None, root: Path, what: str, count: int) -> bool:
    """Several askers at once; whether there are enough events a second for little enough work."""
    rate, own, askers = asked_at_once(*daemon, root, what, count)
    bare = asked_at_once(*beside, root, what, count)[1] if beside else own
    cores = os.cpu_count() or 1
    print(
        f"{what}: {ASKERS} askers on {cores} cores: {rate:.0f} events a second; the daemon's own work {own * 1e6:.0f} us each, "
        f"{own / bare:.1f} times that of one that decides nothing; the askers' {askers * 1e6:.0f} us; "
        f"by its own work {1 / own:.0f} a second on one core, {cores / (own + askers):.0f} on {cores} with those who ask"
    )
    return rate >= LEAST_A_SECOND and cores / (own + askers) >= LEAST_A_SECOND


def asked_at_once(path: str, pid: int, root: Path, what: str, count: int) -> tuple[float, float, float]:
    """Events a second, and the seconds that the daemon itself, and those who ask, work for one."""
    command = [sys.executable, __file__, "--ask", what, path, str(root)]
    many_of(command, 1, pid)  # what is looked at for the first time is analysed, and that is not measured here
    asked, taken, own, askers = many_of(command, count, pid)
    return asked / taken, own / asked, askers / asked


def many_of(command, count: int, pid: int) -> tuple[int, float, float, float]:
    """Run the askers: how many events they told, the seconds that it took, and the work of the daemon and of the askers."""
    askers = [
        subprocess.Popen([*command, str(count), str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(ASKERS)
    ]
    if any(asker.stdout.readline() != "ready\n" for asker in askers):
        raise SystemExit("an asker failed")
    begun, before = time.perf_counter(), work_of(pid)
    for asker in askers:
        asker.stdin.close()
    told = [asker.stdout.readline().split() for asker in askers]
    taken, worked = time.perf_counter() - begun, work_of(pid) - before
    for asker in askers:
        asker.stdout.close()
        if asker.wait():
            raise SystemExit("an asker failed")
    return sum(int(one[0]) for one in told), taken, worked, sum(float(one[1]) for one in told)


def asker(what: str, path: str, root: Path, count: int, number: int) -> None:
    """Make all questions, wait for the others, and ask; print how many events were told, and for how much work."""
    names = [f"a{number}-{other}" for other in range(OWN_SESSIONS)]
    told: list[Told] = []
    if what == "single":
        told = [Told(EVENT, one_call(root, names[turn % OWN_SESSIONS])) for turn in range(count)]
    else:
        told += (one for name in names for one in opening(root, name))
        told += (one for turn in range(count) for name in names for one in calls(root, name, turn))
    questions = [(said(one.body, one.event), one) for one in told]
    print("ready", flush=True)
    sys.stdin.read()
    begun = time.process_time()
    for question, one in questions:
        if one.writes is not None:
            really(one)
        ask(path, question)
    print(len(questions), time.process_time() - begun)


@contextlib.contextmanager
def daemon_of(decider: str, folder: Path) -> Iterator[int]:
    """A daemon that listens; its process."""
    command = [sys.executable, __file__, "--decider", decider, "--daemon", str(folder)]
    home = folder.parent / "home"  # walls look for secrets in all of it: a large one takes seconds (docs/caveats.md)
    home.mkdir(exist_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "HOME": str(home)}) as daemon:
        try:
            assert daemon.stdout is not None
            assert daemon.stdout.read(1) == b"+"
            yield daemon.pid
        finally:
            daemon.terminate()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--decider", choices=DECIDERS, default="pass")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--daemon", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--ask", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.daemon:
        run(given.daemon, DECIDERS[given.decider], find_host)
        return 0
    if given.ask:
        what, path, root, count, number = given.ask
        asker(what, path, Path(root), int(count), int(number))
        return 0
    with tempfile.TemporaryDirectory(prefix="rg") as name, contextlib.ExitStack() as stack:
        places = prepared(Path(name) / "state")
        root = make_workspace(Path(name), places.folder)
        pid = stack.enter_context(daemon_of(given.decider, places.folder))
        beside = None
        if given.decider != "pass":
            other = prepared(Path(name) / "beside")
            beside = str(other.socket), stack.enter_context(daemon_of("pass", other.folder))
        print(f"decider: {given.decider}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        good = [
            clients(places, root, given.rounds),
            given.decider != "engine" or new_commands(str(places.socket), root, max(given.rounds // 10, 1)),
            daemon_alone(places, root, pid, beside, given.rounds, given.sessions),
        ]
    print("every target is met" if all(good) else "a target is missed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
