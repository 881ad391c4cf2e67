"""The real daemon and the real client under attack: killed at any moment, asked by 200 at once, fed with nonsense."""

import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from guarding import kill_daemon, trust_defaults

from by_day import many
from remit.audit.log import Log
from remit.audit.verify import IntactLog, verify_log
from remit.guard.audit_key import audit_checkers, audit_signer
from remit.guard.client.build import SCRIPT
from remit.guard.daemon.protocol import Question, question_line, read_answer
from remit.guard.state_folder import StateFolder, prepared
from remit.guard.store import State, answer_approval, open_store


@pytest.fixture
def machine():
    """A workspace and a state folder with a short path; the daemon that is started there is killed at the end."""
    with tempfile.TemporaryDirectory(prefix="rg", dir="/var/tmp") as name:
        root = Path(name).resolve()
        (root / "ws").mkdir()
        places = StateFolder(root / "state")
        prepared(places.folder)
        yield root / "ws", places
        kill_daemon(places)


def payload(ws, call, command="echo hi", session="s1", event="PreToolUse"):
    """What a hook gets of a host that nobody can be asked in: a question is then a denial with its name."""
    return json.dumps(
        {
            "session_id": session, "cwd": str(ws), "hook_event_name": event, "tool_name": "Bash", "tool_use_id": call,
            "tool_input": {"command": command}, "permission_mode": "default",
        }
    ).encode()  # fmt: skip


HEADLESS = "PreToolUse.sdk-cli"


def client(places, data, event=HEADLESS, host="claude-code"):
    words = [sys.executable, "-I", "-S", str(SCRIPT), host, event, "30", str(places.folder)]
    return subprocess.run(words, input=data, capture_output=True, check=False, timeout=300)


def passed(done):
    return done.returncode == 0 and b"deny" not in done.stdout


def blocked(done):
    return done.returncode == 2 or b'"deny"' in done.stdout


def log_of(places):
    return Log.open(places.folder, audit_signer, every=0)


def test_kill_9_at_any_moment(machine):
    """REMIT_KILLS=1000 for the long run. No answer but a whole one lets through, and what was let through is in the log."""
    ws, places = machine
    kills = int(os.environ.get("REMIT_KILLS", many(15, least=4)))
    dice = random.Random(1)
    let_through = []
    for number in range(kills):
        killer = threading.Timer(dice.uniform(0, 0.9), kill_daemon, [places])
        killer.start()
        done = client(places, payload(ws, f"c{number}"))
        killer.join()
        assert passed(done) or blocked(done), done
        if passed(done):
            let_through.append(f"c{number}")
        assert blocked(client(places, payload(ws, f"d{number}", f"echo x > {places.database}")))
    log = log_of(places)
    entries = [record.entry for record in log.records()]
    log.close()
    admitted = {entry.call for entry in entries if entry.kind == "decision" and entry.outcome == "admit"}
    assert admitted >= set(let_through)
    assert not any(entry.outcome == "admit" and entry.call.startswith("d") for entry in entries)
    kill_daemon(places)  # where the last kill came before there was a daemon
    client(places, payload(ws, "last"))  # a new daemon reconciles
    kill_daemon(places)
    log = log_of(places)
    unknown = {entry.call for entry in (record.entry for record in log.records()) if entry.outcome == "unknown"}
    log.close()
    assert unknown >= admitted - {"last"}
    whole(places)


def whole(places):
    found = verify_log(places.folder, audit_checkers(places.folder))
    assert isinstance(found, IntactLog), found


def at_once(places, questions):
    """All at the same moment, each on a connection of its own; the answers in their order."""
    gate = threading.Barrier(len(questions))

    def ask(data):
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(120)
            link.connect(str(places.socket))
            gate.wait()
            link.sendall(question_line(Question("claude-code", HEADLESS, len(data))) + data)
            out = b""
            while piece := link.recv(65536):
                out += piece
            return read_answer(out)

    with ThreadPoolExecutor(len(questions)) as pool:
        return list(pool.map(ask, questions))


def test_200_hooks_at_once_spend_one_approval_once(machine):
    ws, places = machine
    (ws / "a.txt").write_text("x")
    trust_defaults(places, ws)
    first = client(places, payload(ws, "q", "rm a.txt"))
    assert blocked(first)
    name = re.search(rb"shows it as (\w+)", first.stdout + first.stderr)[1].decode()
    store = open_store(places.database)
    answer_approval(store, name, State.ONCE, now=int(time.time()))
    store.close()
    found = at_once(places, [payload(ws, f"c{number}", "rm a.txt") for number in range(200)])
    free = [one for one in found if one.exit == 0 and b"deny" not in one.stdout]
    assert len(free) == 1
    log = log_of(places)
    entries = [record.entry for record in log.records()]
    log.close()
    assert sum(entry.outcome == "person-approved" for entry in entries) == 1
    assert {f"c{number}" for number in range(200)} <= {entry.call for entry in entries if entry.kind == "envelope"}
    whole(places)


def test_200_sessions_at_once_lose_nothing(machine):
    ws, places = machine
    client(places, payload(ws, "first"))
    found = at_once(
        places, [payload(ws, f"c{number}", f"echo {number % 9}", session=f"s{number}") for number in range(200)]
    )
    assert len(found) == 200
    log = log_of(places)
    entries = [record.entry for record in log.records()]
    log.close()
    answered = {(entry.session, entry.call) for entry in entries if entry.kind == "decision"}
    heard = {(entry.session, entry.call) for entry in entries if entry.kind == "envelope"}
    for number, one in enumerate(found):
        if one.exit == 0:
            assert (f"s{number}", f"c{number}") in answered & heard
        else:
            assert one.stderr.startswith(b"remit: denied: ")
    assert sum(one.exit == 0 for one in found) > 150
    whole(places)


NONSENSE = (
    b"", b"{", b"[]", b"null", b"5", b'"x"', b"{}", b'{"session_id": 5}', b'{"tool_name": ["Bash"]}', b'{"tool_input": "rm -rf /"}', b"\xff\xfe",
    b'{"session_id":"s","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo \\ud800"}}',
    b'{"session_id":"s","cwd":5,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}',
    b'{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}',
    b'{"session_id":"s","cwd":"/nowhere/at/all","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":["/etc/x"],"content":"x"}}',
    b'{"session_id":"s","cwd":"/tmp","hook_event_name":"Frobnicate","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}',
    b'{"session_id":"s","cwd":"/tmp","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}',
    b'{"a":' * 3000 + b"1" + b"}" * 3000, b'{"tool_input":' + b"[" * 100000, b'{"x": NaN}', b'{"session_id":"s","session_id":"t"}',
)  # fmt: skip


def test_nonsense_is_denied_and_the_daemon_lives(machine):
    ws, places = machine
    for data in NONSENSE:
        done = client(places, data)
        assert blocked(done), (data[:80], done)
    pid = places.daemon_lock.read_text()
    assert passed(client(places, payload(ws, "after")))
    assert places.daemon_lock.read_text() == pid
    whole(places)
