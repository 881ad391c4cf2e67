"""Tests that fail beside others are judged by a second run; a run that broke off is a failure, whatever that run says."""

import os
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_tests.py"
FAILS_BESIDE_OTHERS = "import os\ndef test_one():\n    assert 'PYTEST_XDIST_WORKER' not in os.environ\n"
BREAKS_OFF = (
    "def pytest_unconfigure(config):\n    if getattr(config.option, 'numprocesses', None):\n        raise EOFError\n"
)


def run(folder, conftest=""):
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_one.py").write_text(FAILS_BESIDE_OTHERS)
    words = [sys.executable, str(TOOL), "-n", "1"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(words, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=500)


def test_what_fails_only_beside_others_passes(tmp_path):
    done = run(tmp_path)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_run_that_broke_off_is_a_failure_and_is_not_judged_by_its_failed_tests_alone(tmp_path):
    """Its workers were killed, and the process failed with the exit code of failed tests: the tests that were never run passed."""
    done = run(tmp_path, BREAKS_OFF)
    assert (done.returncode != 0, "EOFError" in done.stderr, "once more" in done.stdout) == (True, True, False), done
