"""The bench of decisions runs; how long they take is for people to judge."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_prints_a_ratio_for_each_kind():
    script = str(ROOT / "bench" / "policy_speed.py")
    done = subprocess.run(
        [sys.executable, script, "--rounds", "2"], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("50 entries, 40 that grant, 5.4 bits")
    assert [line.partition(":")[2].split()[0] for line in lines[-4:-1]] == ["allow", "confirm", "deny"]
    lines = lines[:-4]
    assert {line.rsplit(maxsplit=4)[0] for line in lines[2:-1]} >= {
        "allowed",
        "asked",
        "denied",
        "outside",
        "undeclared",
    }
