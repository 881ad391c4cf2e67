"""`tools/run_smtlib.sh`: any z3 or cvc5 answers the obligations, as a program or as a Python module."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from each_row import each_row

SCRIPT = Path(__file__).resolve().parents[2] / "tools/run_smtlib.sh"
HOLDS = "(set-logic QF_BV)\n(declare-const p Bool)\n(push 1)\n(assert (and p (not p)))\n(check-sat)\n(pop 1)\n"
FAILS = "(push 1)\n(assert p)\n(check-sat)\n(pop 1)\n"


def run(text, solver, folder, *, program):
    """What the script says of a file, with the program of Debian or with the module that Python has."""
    file = folder / "sessions.smt2"
    file.write_text(text)
    found = folder / "bin"
    found.mkdir()
    for name in ("sh", "grep", "wc", *([solver] if program else [])):
        place = shutil.which(name, path="/usr/bin:/bin")
        if place is None:
            pytest.skip(f"{name} is not here")
        (found / name).symlink_to(place)
    environment = {**os.environ, "PATH": str(found), "PYTHON": sys.executable}
    return subprocess.run(["sh", SCRIPT, file, solver], env=environment, capture_output=True, text=True, check=False)


@each_row("program", [False, True])
@each_row("solver", ["z3", "cvc5"])
def test_obligations_that_hold_and_one_that_does_not(solver, program, tmp_path):
    done = run(HOLDS, solver, tmp_path, program=program)
    assert (done.returncode, done.stdout) == (0, "1 of 1 answers are unsat\n"), done.stderr
    shutil.rmtree(tmp_path / "bin")
    done = run(HOLDS + FAILS, solver, tmp_path, program=program)
    assert (done.returncode, done.stdout) == (1, "1 of 2 answers are unsat\n")
