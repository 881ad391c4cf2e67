"""The first 100 mutated skills, at night the first 2,000; and the fuzzer itself can fail."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from by_day import but_by_night

RUN = Path(__file__).with_name("run.py")


BY_DAY, EACH = 100, 250
PARTS = [(0, BY_DAY), (BY_DAY, EACH - BY_DAY), *((first, EACH) for first in range(EACH, 2000, EACH))]


@pytest.mark.parametrize(("first", "count"), PARTS, ids=["0", *(f"{first}_nightly" for first, _ in PARTS[1:])])
def test_mutated_skills_neither_crash_nor_hang_nor_escape(first, count):
    command = [sys.executable, str(RUN), "--quiet", "--seed", str(first), "--count", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert f"fuzz: {count} folders" in done.stdout


PLANTED = {
    "CRASH": "raise ZeroDivisionError",
    "ESCAPE open": "open('/etc/hostname').close()",
    "ESCAPE subprocess.Popen": "import subprocess; subprocess.run(['true'])",
    "ESCAPE os.remove": "import os, contextlib\n    with contextlib.suppress(OSError): os.remove('/nowhere')",
    "DIED": "import os; os._exit(3)",
    f"DIED -{signal.SIGPROF:d}": "while True: pass",
    "NO_REMEDY": "from remit.core.errors import InputError; raise InputError('no')",
}


@pytest.mark.parametrize("seen", but_by_night(PLANTED, {"ESCAPE subprocess.Popen", "ESCAPE os.remove", "NO_REMEDY"}))
def test_what_the_fuzzer_looks_for_is_seen(seen, tmp_path):
    """The loader is replaced by one that misbehaves."""
    planted = f"""
import sys; sys.path.insert(0, {str(RUN.parent)!r})
import run
real = run.load_skill
def load_skill(folder):
    {PLANTED[seen]}
    return real(folder)
run.load_skill = load_skill
run.__file__ = __file__
run.HANG_SECONDS = {1 if "while" in PLANTED[seen] else 300}
sys.exit(run.main())
"""
    (tmp_path / "planted.py").write_text(planted)
    command = [sys.executable, str(tmp_path / "planted.py"), "--quiet", "--seed", "1", "--count", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert all(word in done.stdout for word in seen.split())
