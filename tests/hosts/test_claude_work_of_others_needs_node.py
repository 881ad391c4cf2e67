"""What a person does beside the real Claude Code stays: commits, new files and the index, with a skill (inside of walls) and without."""

import os
import subprocess
import sys
import threading
import time

import pytest
from facts_values import bash, skill
from scripted_model import say

from remit.guard.state_folder import StateFolder
from remit.guard.undo import Store

WORKS = (
    {"capability": "file.read", "scope": "./**", "effect": "allow"},
    {"capability": "file.write", "scope": "./**", "effect": "allow"},
)
BLACK = """#!/bin/sh
touch begun
while ! test -e "committed"; do sleep 0.05; done
echo 'x = 3' > "$1/formatted.py"
"""
WHO = "[user]\n\tname = P\n\temail = p@example.org\n"


def git(root, *words):
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def place(held, tmp_path, monkeypatch):
    """A repository with a commit, a formatter, and a skill that may work in it."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "black").write_text(BLACK)
    (bin_folder / "black").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
    (held.place.home / ".gitconfig").write_text(WHO)
    held.manifest(held.skill("worker", "Work on the project."), *WORKS)
    (held.work / "app.py").write_text("x = 1\n")
    (held.work / "formatted.py").write_text("x =   3\n")
    (held.work / "package.json").write_text('{"name": "app", "version": "1.0.0"}\n')
    (held.work / "test_app.py").write_text("def test_app(): pass\n")
    (held.work / ".gitignore").write_text(".claude\n.codex\n.gemini\nbegun\ncommitted\n__pycache__\n.pytest_cache\n")
    git(held.work, "init", "-q", "-b", "master")
    git(held.work, "add", "-A")
    git(held.work, "commit", "-q", "-m", "first")
    return held


def turns(walls, command):
    return [*([skill("worker")] if walls else []), bash(command), say("done")]


@pytest.mark.parametrize("walls", [False, True], ids=["plain", "walls"])
def test_a_commit_in_another_terminal_stays_while_a_formatter_runs(place, walls):
    root = place.work

    def person():
        end = time.monotonic() + 300
        while not (root / "begun").exists() and time.monotonic() < end:
            time.sleep(0.05)
        (root / "app.py").write_text("x = 2\n")
        (root / ".env").write_text("KEY=mine\n")
        git(root, "commit", "-q", "-m", "second", "app.py")
        (root / "committed").touch()

    other = threading.Thread(target=person)
    other.start()
    place.run(*turns(walls, "black ."))
    other.join()
    undo(place)
    assert git(root, "log", "--format=%s") == "second\nfirst"
    assert "second" in git(root, "reflog")
    assert git(root, "fsck", "--strict") == ""
    assert (root / "app.py").read_text() == "x = 2\n"
    assert (root / ".env").read_text() == "KEY=mine\n"
    expected = "x =   3\n" if walls else "x = 3\n"  # without walls nobody knows who wrote it
    assert (root / "formatted.py").read_text() == expected


def undo(place):
    """Undo all calls, as far as it goes."""
    store = Store(StateFolder(place.state).snapshots)
    for one in store.all():
        store.restore(one.ident)


def test_an_approved_version_keeps_its_commit_and_its_tag(place):
    root = place.work
    place.run(*turns(False, "npm version patch"))
    assert git(root, "log", "--format=%s") == "1.0.1\nfirst"
    assert git(root, "describe") == "v1.0.1"
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("walls", [False, True], ids=["plain", "walls"])
def test_an_index_that_git_refreshes_while_tests_run_is_no_alarm(place, walls):
    root = place.work
    (root / "test_app.py").write_text(
        "import os, subprocess\ndef test_app():\n    os.utime('app.py', (1, 1)); subprocess.run(['git', 'status'], check=True)\n"
    )
    git(root, "commit", "-q", "-a", "-m", "second")
    before = (root / ".git/index").read_bytes()
    run = place.run(*turns(walls, "python -m pytest -q -p no:cacheprovider"))
    assert "1 passed" in run.model.results()[-1][1]
    assert (root / ".git/index").read_bytes() != before
    assert place.alarms() == []
