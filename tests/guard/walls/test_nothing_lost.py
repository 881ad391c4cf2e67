"""Some rounds of `bench/nothing_lost.py`: calls, a person, kills and undo at once, and nothing of the person's is lost."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[3] / "bench/nothing_lost.py"


def test_nothing_of_a_person_is_lost_in_some_rounds():
    words = [sys.executable, BENCH, "--rounds", "15", "--seed", "7"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "15 rounds, 0 lost" in done.stdout
