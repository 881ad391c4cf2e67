"""Every evasion and idiom of `python/*.cases` is reported; the scripts are run to see that the claims are true."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from casefile import Case, read_cases

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

CASES = read_cases("python")
PARTS = 40  # a test for each case costs as much again as the cases do
# What the interpreter's audit events cannot tell apart: a URL is a connection, a shell command is a process.
SEEN_AS = {
    "web.fetch": "net.connect", "web.post": "net.connect", "api.call": "net.connect", "message.send": "net.connect",
    "shell.execute": "process.create", "source.execute": "process.create", "schedule.create": "process.create",
    "commit.read": "process.create", "commit.create": "process.create", "commit.push": "process.create",
    "package.install": "process.create", "system.configure": "process.create", "container.run": "process.create",
    "db.write": "file.write", "db.read": "file.read",
}  # fmt: skip


@each_row("part", range(PARTS))
def test_reported(part: int, tmp_path: Path) -> None:
    for case in CASES[part::PARTS]:
        check(case, tmp_path)


def check(case: Case, folder: Path) -> None:
    effects = analyse(load_skill(case.write(folder)))
    found = {
        effect.capability.replace("source.", "file.", 1) if effect.capability != "source.execute" else "source.execute"
        for effect in effects.effects
    }
    missing = [wanted for wanted in case.wants if not found.intersection(wanted)]
    opaque = [f"{item.where.file}:{item.where.line}: {item.reason}" for item in effects.opaque]
    assert not missing or opaque, (sorted(found), case.place)
    if not case.opaque_ok:
        assert not opaque, case.place
        assert not missing, case.place


@pytest.mark.parametrize("part", [pytest.param(4, id="a quarter"), pytest.param(1, id="all_nightly")])
def test_claims_are_true(tmp_path: Path, part: int) -> None:
    """What a case wants to see reported does happen when its script runs."""
    ran = [case for case in CASES if case.run is not None][::part]
    lines = [json.dumps([str(case.write(tmp_path)), case.run, 20]) for case in ran]
    program = [sys.executable, "-I", "-X", "frozen_modules=on", str(Path(__file__).with_name("truth.py"))]
    done = subprocess.run(
        program, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True, timeout=300
    )
    wrong: dict[str, list[str]] = {}
    for case, line in zip(ran, done.stdout.splitlines(), strict=True):
        seen = set(json.loads(line))
        for wanted in case.wants:
            if not seen.intersection(SEEN_AS.get(word, word) for word in wanted):
                wrong[case.place] = sorted(seen)
    assert not wrong
