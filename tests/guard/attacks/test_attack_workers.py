"""The real engine in two workers: what spans sessions is the same in both, and a worker that was killed loses nothing that holds."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from guarding import alive, kill_daemon, trust_defaults, wait_for, workers_of

from remit.audit.log import Log
from remit.audit.verify import IntactLog, verify_log
from remit.guard.audit_key import audit_checkers, audit_signer
from remit.guard.client.build import SCRIPT
from remit.guard.daemon.server import worker_of
from remit.guard.state_folder import prepared
from remit.guard.store import State, add_grant, answer_approval, open_store, revoke_grant

HOST = "claude-code"
FIRST, SECOND = (next(f"s{n}" for n in range(99) if worker_of(HOST, f"s{n}", 2) == worker) for worker in (0, 1))
HERE = str(Path(__file__).resolve().parent)
pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="on one core there is one worker")


class Machine:
    """A workspace, a state folder, and a daemon that the first client starts."""

    def __init__(self, root):
        self.ws = root / "ws"
        self.ws.mkdir()
        self.places = prepared(root / "state")

    def ask(self, session, tool, call, event="PreToolUse.sdk-cli", **args):
        told = {
            "session_id": session, "cwd": str(self.ws), "hook_event_name": event.partition(".")[0], "tool_name": tool,
            "tool_use_id": call, "tool_input": args, "permission_mode": "default",
        }  # fmt: skip
        words = [sys.executable, "-I", "-S", str(SCRIPT), HOST, event, "30", str(self.places.folder)]
        done = subprocess.run(words, input=json.dumps(told).encode(), capture_output=True, check=False, timeout=300)
        assert done.returncode in (0, 2)
        return done

    def passes(self, *words, **args):
        done = self.ask(*words, **args)
        return done.returncode == 0 and b"deny" not in done.stdout

    def approve(self, done, state):
        name = re.search(rb"shows it as (\w+)", done.stdout + done.stderr)[1].decode()
        with open_closing(self.places) as store:
            answer_approval(store, name, state, now=int(time.time()))

    def entries(self):
        log = Log.open(self.places.folder, audit_signer, every=0)
        found = [record.entry for record in log.records()]
        log.close()
        return found

    def kill_worker(self, number):
        """Kill a worker that has lived long enough to be begun anew."""
        daemon = int(self.places.daemon_lock.read_text())
        wait_for(lambda: len(workers_of(daemon)) > number)  # the one that was killed before is being begun anew
        pid = workers_of(daemon)[number]
        wait_for(lambda: time.time() - Path(f"/proc/{pid}").stat().st_ctime > 1.5)
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not alive(pid))


class open_closing:  # noqa: N801
    """A store of another process, closed afterwards."""

    def __init__(self, places):
        self.store = open_store(places.database)

    def __enter__(self):
        return self.store

    def __exit__(self, *_):
        self.store.close()


@pytest.fixture
def machine():
    with tempfile.TemporaryDirectory(prefix="rg", dir="/var/tmp") as name:
        machine = Machine(Path(name).resolve())
        yield machine
        kill_daemon(machine.places)


def whole(places):
    assert isinstance(verify_log(places.folder, audit_checkers(places.folder)), IntactLog)


def test_a_grant_and_its_end_count_in_both_workers_at_once(machine):
    with tempfile.TemporaryDirectory(prefix="rg", dir="/var/tmp") as name:
        path = Path(name).resolve() / "a.txt"
        path.write_text("x")
        trust_defaults(machine.places, machine.ws, asked=("file.read", f"{path.parent}/**"))
        reads = [(session, "Read") for session in (FIRST, SECOND)]
        for round_ in range(3):
            assert not any(machine.passes(*one, f"no{round_}", file_path=str(path)) for one in reads)
            with open_closing(machine.places) as store:
                entry = {"capability": "file.read", "scope": f"{path.parent}/**", "effect": "allow"}
                grant = add_grant(store, "", entry, now=int(time.time()), expires=None)
            assert all(machine.passes(*one, f"yes{round_}", file_path=str(path)) for one in reads)
            with open_closing(machine.places) as store:
                revoke_grant(store, grant.id, now=int(time.time()))
    whole(machine.places)


def test_a_worker_that_begins_anew_knows_what_was_agreed_and_leaves_the_other_alone(machine):
    (machine.ws / "a.txt").write_text("x")
    trust_defaults(machine.places, machine.ws)
    machine.approve(machine.ask(FIRST, "Bash", "q", command="rm a.txt"), State.SESSION)
    assert machine.passes(FIRST, "Bash", "under-way-1", command="rm a.txt")
    assert machine.passes(SECOND, "Bash", "under-way-2", command="echo hi")
    machine.kill_worker(0)
    assert machine.passes(FIRST, "Bash", "again", command="rm a.txt")
    assert not machine.passes(FIRST, "Bash", "other", command="rm b.txt /etc/hosts")
    after = machine.ask(SECOND, "Bash", "under-way-2", event="PostToolUse", command="echo hi")
    assert b"ALARM" not in after.stdout + after.stderr
    found = machine.entries()
    assert {entry.call for entry in found if entry.outcome == "unknown"} == {"under-way-1"}
    kill_daemon(machine.places)
    whole(machine.places)


def test_workers_that_are_killed_again_and_again_let_nothing_through(machine):
    """REMIT_KILLS=1000 for the long run. What was let through is in the log, and the chain is whole."""
    let_through = set()
    for number in range(int(os.environ.get("REMIT_KILLS", "6"))):
        with ThreadPoolExecutor(6) as pool:
            asked = {
                f"c{number}-{one}": pool.submit(
                    machine.passes, (FIRST, SECOND)[one % 2], "Bash", f"c{number}-{one}", command="echo hi"
                )
                for one in range(6)
            }
            bad = pool.submit(machine.passes, FIRST, "Write", f"d{number}", file_path=str(machine.places.database))
            if number:
                machine.kill_worker(number % 2)
            let_through |= {call for call, one in asked.items() if one.result()}
            assert not bad.result()
    admitted = {entry.call for entry in machine.entries() if entry.kind == "decision" and entry.outcome == "admit"}
    assert let_through
    assert admitted >= let_through
    kill_daemon(machine.places)
    whole(machine.places)


RACE = """
import sys, time
sys.path[:0] = {paths!r}
from pathlib import Path
from remit.guard.engine import Engine
from remit.guard.event import Event, Kind, Outcome
from remit.guard.state_folder import StateFolder
ws, state, home, count = map(Path, sys.argv[1:5])
engine = Engine(StateFolder(state), home=home, mine=lambda *_: False)
def event(number, call):
    args = {{"command": f"rm a{{number}}.txt"}}
    return Event("claude-code", Kind.BEFORE, "PreToolUse", "raced", str(ws), tool="Bash", args=args, call=call, asks=False)
engine.decide(event(0, "warm"))
print("ready", flush=True)
for number in range(1, int(count.name) + 1):
    sys.stdin.readline()
    found = engine.decide(event(number, f"c{{number}}-{{sys.argv[5]}}"))
    print(int(found.outcome is Outcome.PASS), flush=True)
engine.log.close()
"""


def test_an_approval_that_is_raced_through_two_engines_admits_one_call(machine):
    """As if both workers decided for one session, which they never do: even then the store gives an approval away once."""
    rounds = 12
    for number in range(rounds + 1):
        (machine.ws / f"a{number}.txt").write_text("x")
    trust_defaults(machine.places, machine.ws)
    program = RACE.format(paths=sys.path)
    words = [sys.executable, "-c", program, *map(str, (machine.ws, machine.places.folder, machine.ws.parent, rounds))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    racers = [subprocess.Popen([*words, name], **pipes) for name in ("one", "two")]
    try:
        assert [one.stdout.readline() for one in racers] == ["ready\n"] * 2
        for number in range(1, rounds + 1):
            first = machine.ask("raced", "Bash", f"q{number}", command=f"rm a{number}.txt")
            machine.approve(first, State.ONCE)
            for one in racers:
                one.stdin.write("go\n")
                one.stdin.flush()
            assert sum(int(one.stdout.readline()) for one in racers) == 1
    finally:
        for one in racers:
            one.kill()
            one.communicate()
    approved = [entry for entry in machine.entries() if entry.outcome == "person-approved" and entry.op != "answer"]
    assert len(approved) == rounds
    kill_daemon(machine.places)
    whole(machine.places)
