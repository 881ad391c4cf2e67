"""What a person does in the workspace while a call runs is never taken back: hook client, daemon and engine are the real ones."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from attended import Session
from guarding import kill_daemon
from watched import SOURCE

from remit.audit import Log
from remit.guard.client.build import SCRIPT
from remit.guard.store import State

DAEMON = "import sys\nfrom remit.guard.daemon.run import main\nsys.exit(main(['', sys.argv[1]]))\n"


@pytest.fixture
def place():
    """A repository with a commit, and a session whose daemon runs in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="ra") as name:
        session = Session(Path(name), now=int(time.time()))
        session.engine.close()
        session.write("app.py", "x = 1\n")
        session.write("package.json", '{"name": "app", "version": "1.0.0"}\n')
        session.write("tests/test_app.py", "def test_app(): pass\n")
        git(session.workspace, "init", "-q", "-b", "master")
        commit(session.workspace, "first")
        process = subprocess.Popen(
            [sys.executable, "-c", DAEMON, str(session.places.folder)],
            stdout=subprocess.PIPE, env={"PYTHONPATH": SOURCE, "HOME": str(session.home)},
        )  # fmt: skip
        assert process.stdout.read(1) == b"+"
        hook(session, "SessionStart", source="startup")
        yield session
        kill_daemon(session.places)
        process.communicate()


def git(root, *words):
    who = ["-c", "user.name=P", "-c", "user.email=p@example.org"]
    return subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def commit(root, message):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def hook(session, event, **fields):
    """What Claude Code does where it may not ask: the hook is run, and its answer read."""
    payload = {
        "hook_event_name": event, "session_id": "s1", "cwd": str(session.workspace), "permission_mode": "dontAsk", **fields,
    }  # fmt: skip
    words = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code", event, "30", str(session.places.folder)]
    done = subprocess.run(words, input=json.dumps(payload).encode(), capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def call(session, event, command, **fields):
    return hook(session, event, tool_name="Bash", tool_input={"command": command}, tool_use_id="t1", **fields)


def runs(session, command, meanwhile):
    """A call that is let through, if need be by a person; and what happens while it runs."""
    if call(session, "PreToolUse", command):
        for one in session.waiting():
            session.answer(one.id, State.ONCE)
        assert call(session, "PreToolUse", command) == {}
    meanwhile()
    return call(session, "PostToolUse", command, tool_response={"stdout": ""})


def alarms(session):
    with Log.open(session.places.folder) as log:
        return [one.entry.reason for one in log.records() if one.entry.op == "alarm"]


def test_a_commit_and_a_new_file_of_a_person_stay_while_a_formatter_runs(place):
    root = place.workspace

    def person():
        (root / "app.py").write_text("x = 2\n")
        commit(root, "second")
        (root / ".env").write_text("KEY=mine\n")

    answer = runs(place, "black .", person)
    hook(place, "SessionEnd", reason="other")
    assert git(root, "log", "--format=%s") == "second\nfirst"
    assert "second" in git(root, "reflog")
    assert git(root, "fsck", "--strict") == ""
    assert git(root, "status", "--porcelain") == "?? .env"
    assert (root / ".env").read_text() == "KEY=mine\n"
    alarm, ref = alarms(place)
    assert ref == "ref refs/heads/master: seen, and nothing that was admitted explains it"
    assert f"`{root}/.env` was made between" in alarm
    assert "--force --dry-run` shows how to undo it" in alarm
    assert alarm in answer["systemMessage"]  # for the person
    assert alarm in answer["hookSpecificOutput"]["additionalContext"]  # for the agent


def test_an_approved_version_keeps_its_commit_and_its_tag(place):
    root = place.workspace

    def program():
        (root / "package.json").write_text('{"name": "app", "version": "1.0.1"}\n')
        commit(root, "1.0.1")
        git(root, "tag", "-a", "v1.0.1", "-m", "1.0.1")

    runs(place, "npm version patch", program)
    hook(place, "SessionEnd", reason="other")
    assert git(root, "log", "--format=%s") == "1.0.1\nfirst"
    assert git(root, "describe") == "v1.0.1"
    assert git(root, "status", "--porcelain") == ""


def test_an_index_that_git_refreshes_while_tests_run_is_no_alarm(place):
    root = place.workspace
    before = (root / ".git" / "index").read_bytes()

    def refresh():
        os.utime(root / "app.py", (1, 1))
        git(root, "status")

    assert runs(place, "python -m pytest", refresh) == {}
    hook(place, "SessionEnd", reason="other")
    assert (root / ".git" / "index").read_bytes() != before
    assert alarms(place) == []
