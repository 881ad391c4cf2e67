import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from each_row import each_row
from remit.proof.bounded import Bounds, Exceeded, Finished, run, start

AMPLE = Bounds(seconds=60)


def python(text, bounds=AMPLE, **how):
    return run([sys.executable, "-I", "-c", text], bounds, **how)


def test_the_answer_comes_back():
    ended = python("import sys; print(sys.stdin.read()); sys.exit(3)", stdin=b"given")
    assert ended == Finished(3, b"given\n", b"")


def test_what_steers_programs_is_not_passed_on(monkeypatch):
    monkeypatch.setenv("MYPYPATH", "elsewhere")
    ended = python("import os; print(os.environ.get('MYPYPATH'), os.environ['SET'])", environment={"SET": "here"})
    assert ended.out == b"None here\n"


def test_several_run_side_by_side(tmp_path):
    """Each waits for the other."""
    text = "import os, sys, time\nopen(sys.argv[1], 'w')\nwhile not os.path.exists(sys.argv[2]): time.sleep(0.01)"
    names = [str(tmp_path / "one"), str(tmp_path / "other")]
    both = [start([sys.executable, "-c", text, *pair], AMPLE) for pair in (names, names[::-1])]
    assert [one.finish() for one in both] == [Finished(0, b"", b"")] * 2


@each_row(
    ("text", "bounds", "said"),
    [
        ("import time; time.sleep(600)", Bounds(seconds=0.3), "longer than 0.3 seconds"),
        ("print('x' * 10**7)", Bounds(seconds=60, output=1000), "ended by SIGXFSZ"),
        ("import os; os.kill(os.getpid(), 9)", AMPLE, "ended by SIGKILL"),
    ],
)
def test_past_a_bound_there_is_no_answer(text, bounds, said):
    if "SIGXFSZ" in said:
        text = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); " + text
    ended = python(text, bounds)
    assert isinstance(ended, Exceeded)
    assert said in ended.reason


def test_memory_is_bounded():
    ended = python("x = bytearray(10**9)", Bounds(seconds=60, megabytes=300))
    assert ended.status != 0
    assert b"MemoryError" in ended.err


def test_a_program_that_is_not_there():
    assert "cannot be started" in run(["/nowhere/solver"], Bounds()).reason


def test_children_are_ended_too(tmp_path):
    mark = tmp_path / "mark"
    text = f"import os,time\nif os.fork() == 0:\n  time.sleep(1)\n  open({str(mark)!r}, 'w')\nelse: time.sleep(60)"
    python(text, Bounds(seconds=0.3))
    time.sleep(1.2)
    assert not mark.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_program_ends_with_whoever_waits_for_it():
    code = (
        "import sys; from remit.proof.bounded import Bounds, start\n"
        "child = start([sys.executable, '-c', 'import time; time.sleep(60)'], Bounds())\n"
        "print(child._child.pid, flush=True); child.finish()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as waiting:
        pid = int(waiting.stdout.readline())
        waiting.kill()
    for _ in range(600):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("it runs on")


def test_processor_time_is_bounded_too():
    ended = run(
        [sys.executable, "-c", "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))"], Bounds(seconds=7)
    )
    assert ended.out == b"(14, 15)\n"
