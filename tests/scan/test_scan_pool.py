"""The pool: every job is answered once, whatever its worker does."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remit.checker.workers import Crash, run_jobs

KINDS = ["good", "large", "kill", "exit", "raise"]


def behave(kinds):
    def work(job):
        kind = kinds[job]
        if kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "exit":
            os._exit(job)
        if kind == "raise":
            raise RuntimeError
        return (b"x" * 300_000 if kind == "large" else b"") + str(job).encode()

    return work


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(KINDS), max_size=7), st.integers(1, 3))
def test_every_job_is_answered_once(kinds, workers):
    found = dict(run_jobs(behave(kinds), range(len(kinds)), workers))
    assert sorted(found) == list(range(len(kinds)))
    for job, answer in found.items():
        if kinds[job] in ("good", "large"):
            assert isinstance(answer, bytes)
            assert answer.endswith(str(job).encode())
        else:
            assert isinstance(answer, Crash)


def test_an_empty_answer_is_an_answer():
    assert list(run_jobs(lambda _: b"", [0], 1)) == [(0, b"")]


def children():
    return set(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split())


def test_leaving_early_ends_the_workers():
    before = children()
    jobs = run_jobs(lambda job: signal.pause() if job else b"0", range(3), 3)
    assert next(jobs) == (0, b"0")
    assert children() - before
    jobs.close()
    assert children() <= before


def test_workers_have_room_for_deep_recursion():
    def deep(_):
        import sys

        sys.setrecursionlimit(100_000)
        value = []
        for _ in range(20_000):
            value = [value]
        return str(depth(value)).encode()

    def depth(value):
        return 1 + max(map(depth, value), default=0)  # through C and back on every level

    ((_, answer),) = run_jobs(deep, [0], 1)
    assert answer == b"20001"


def test_workers_print_nothing(capfd):
    def noisy(_):
        print("out", flush=True)
        os.write(2, b"err")
        return b""

    assert list(run_jobs(noisy, [0], 1)) == [(0, b"")]
    assert capfd.readouterr() == ("", "")


def test_what_a_worker_started_ends_with_it(tmp_path):
    def work(job):
        child = subprocess.Popen(["sleep", "1000"])
        (tmp_path / str(job)).write_text(str(child.pid))
        os._exit(1) if job else signal.pause()

    found = dict(run_jobs(work, range(2), 2, timeout=1))
    assert (found[0].late, found[1].late) == (True, False)
    for job in range(2):
        child = Path(f"/proc/{(tmp_path / str(job)).read_text()}/stat")
        for _ in range(3000):
            if not child.exists() or child.read_text().split()[2] == "Z":
                break
            time.sleep(0.01)
        else:
            raise AssertionError("it goes on")
