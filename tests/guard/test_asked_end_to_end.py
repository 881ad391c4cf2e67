"""The whole way: the client of a hook, the daemon with the real engine, and a person at a terminal."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from attended import Session
from guarding import kill_daemon
from watched import SOURCE, Terminal

from remit.guard.client.build import SCRIPT
from remit.guard.store import State

DAEMON = "import sys\nfrom remit.guard.daemon.run import main\nsys.exit(main(['', sys.argv[1]]))\n"


@pytest.fixture
def place():
    """A session whose daemon runs in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="ra") as name:
        session = Session(Path(name), now=int(time.time()))
        (session.workspace / "old.txt").write_text("x")
        session.engine.close()
        process = subprocess.Popen(
            [sys.executable, "-c", DAEMON, str(session.places.folder)],
            stdout=subprocess.PIPE, env={"PYTHONPATH": SOURCE, "HOME": str(session.home)},
        )  # fmt: skip
        assert process.stdout.read(1) == b"+"
        yield session
        kill_daemon(session.places)
        process.communicate()


def hook(session, command, name="s1"):
    """What Claude Code does where it may not ask: the hook is run, and its answer read."""
    payload = {
        "hook_event_name": "PreToolUse", "session_id": name, "cwd": str(session.workspace), "permission_mode": "dontAsk",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
    }  # fmt: skip
    words = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code", "PreToolUse", "20", str(session.places.folder)]
    done = subprocess.run(words, input=json.dumps(payload).encode(), capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def is_denied(answer):
    return answer.get("hookSpecificOutput", {}).get("permissionDecision") == "deny"


def test_a_person_answers_while_the_hook_waits(place):
    shown = Terminal(place)
    try:
        shown.until("nothing is waiting")
        found = []
        thread = threading.Thread(target=lambda: found.append(hook(place, "rm old.txt")))
        thread.start()
        shown.until("file.delete")
        assert hook(place, "ls") == {}  # nobody else waits
        time.sleep(0.6)
        shown.press(b"o")
        shown.until("[ allow once ]")
        shown.press(b"\r")
        thread.join(300)
        assert found == [{}]
    finally:
        shown.close()
    again = hook(place, "rm old.txt")  # nobody looks any more, and once was once
    assert is_denied(again)
    assert "remit approvals" in json.dumps(again)


def test_nobody_looks_and_a_retry_after_approval_is_admitted_once(place):
    assert is_denied(hook(place, "rm old.txt"))
    place.answer(place.waiting()[0].id, State.ONCE)
    assert [is_denied(hook(place, "rm old.txt")) for _ in range(3)] == [False, True, True]


def test_of_many_hooks_at_once_one_is_admitted(place):
    assert is_denied(hook(place, "rm old.txt"))
    place.answer(place.waiting()[0].id, State.ONCE)
    found = []
    threads = [threading.Thread(target=lambda: found.append(hook(place, "rm old.txt"))) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count({}) == 1
    assert len(found) == 30
