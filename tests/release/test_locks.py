"""What is installed: two locks, of which one is a part of the other, and of which neither names a host."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from each_row import each_row

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-core.lock")


def names_a_host(text):
    return "://" in text or re.search(r"^\s*--(?!hash)", text, re.MULTILINE) is not None


def pinned(name):
    """Each requirement of a lock: its name, and the line with its hashes."""
    text = (ROOT / name).read_text("utf-8")
    found = re.findall(r"^([a-z0-9-]+)(==[^\n]*\n(?: {4}--hash[^\n]*\n)+)", text, re.MULTILINE)
    assert "".join(name + rest for name, rest in found) == text
    return dict(found)


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_host(name):
    assert not names_a_host((ROOT / name).read_text("utf-8"))


@each_row(
    ("text", "seen"),
    [("uv==1 \\\n    --hash=sha256:00\n", False), ("--index-url x\nuv==1\n", True), ("uv @ https://a/b\n", True)],
)
def test_a_lock_with_a_host_would_be_seen(text, seen):
    assert names_a_host(text) is seen


def test_the_core_is_a_part_of_the_whole():
    whole, core = (pinned(name) for name in LOCKS)
    assert core.items() <= whole.items(), "`make lock` writes both"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {re.match(r"[a-z0-9-]+", one)[0] for one in project["dependencies"]}
    assert wanted <= core.keys()
    assert "z3-solver" in whole
    assert "z3-solver" not in core


def test_a_new_user_gets_far_in_short_time_nightly():
    done = subprocess.run(
        [sys.executable, ROOT / "bench/first_use.py"], capture_output=True, text=True, timeout=900, check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ratio") == 3
