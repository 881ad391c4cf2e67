"""Workers that are started as new processes, where a process cannot be forked: on Windows.

Each reads the pickled function that it runs, and then its jobs, from standard input; a thread of ours waits for its
results. A worker's memory has no limit there.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

from remit.checker.workers import Crash, Job, late_crash, read_message, serve_jobs, write_message

_COMMAND = (sys.executable, "-P", "-m", "remit.checker.spawned_workers")


class _Worker:
    """Our side of one process."""

    def __init__(self, run: bytes, answers: queue.SimpleQueue[tuple[_Worker, bytes | None]]) -> None:
        errors = None if os.environ.get("REMIT_DEBUG") else subprocess.DEVNULL
        self.process = subprocess.Popen(  # noqa: S603  ourselves
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.request, self.answer = self.process.stdin, self.process.stdout
        self.job = Job(b"")
        self.deadline = 0.0
        self._say(run)
        threading.Thread(target=self._wait, args=(answers,), daemon=True).start()

    def give(self, job: Job) -> None:
        self.job = job
        self.deadline = time.monotonic() + job.timeout if job.timeout else 0.0
        self._say(job.data)

    def _say(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # it died, as the end of its output shows
            write_message(self.request.fileno(), data)

    def _wait(self, answers: queue.SimpleQueue[tuple[_Worker, bytes | None]]) -> None:
        """Forward each result, and None at the end."""
        with contextlib.suppress(OSError, ValueError):  # it was ended, and its pipe is closed
            while (answer := read_message(self.answer.fileno())) is not None:
                answers.put((self, answer))
        answers.put((self, None))

    def end(self) -> str:
        """End the process; return the reason if it had ended by itself."""
        self.process.kill()
        status = self.process.wait()
        with contextlib.suppress(OSError):
            self.request.close()
        return f"its process ended with status {status}"


class SpawnedWorkers:
    """A pool of such workers. They are started when there is work."""

    def __init__(self, run: Callable[[bytes], bytes], workers: int) -> None:
        self._run = pickle.dumps(run)
        self._workers = workers
        self._answers: queue.SimpleQueue[tuple[_Worker, bytes | None]] = queue.SimpleQueue()
        self._busy: set[_Worker] = set()
        self._idle: list[_Worker] = []

    def end(self) -> None:
        """End them, whatever they are doing."""
        for worker in (*self._busy, *self._idle):
            worker.end()
        self._busy.clear()
        self._idle.clear()

    def work_off(self, take: Callable[[], Job | None]) -> Iterator[tuple[Job, bytes | Crash]]:
        """Yield the result of each job as it comes; like `Pool.work_off`."""
        while self._fill(take):
            found = self._next()
            if found is None:
                continue
            worker, answer = found
            job = worker.job
            self._busy.remove(worker)
            if not isinstance(answer, Crash):
                self._idle.append(worker)
            self._fill(take)
            yield job, answer

    def _fill(self, take: Callable[[], Job | None]) -> bool:
        """Give work to idle workers; return whether any are busy."""
        while len(self._busy) < self._workers and (job := take()) is not None:
            worker = self._idle.pop() if self._idle else _Worker(self._run, self._answers)
            worker.give(job)
            self._busy.add(worker)
        return bool(self._busy)

    def _next(self) -> tuple[_Worker, bytes | Crash] | None:
        """Return the next result of a busy worker, or one whose time is up; None if there is neither yet."""
        deadlines = [worker.deadline for worker in self._busy if worker.deadline]
        wait = max(0.0, min(deadlines) - time.monotonic()) if deadlines else None
        try:
            worker, answer = self._answers.get(timeout=wait)
        except queue.Empty:
            worker = min((one for one in self._busy if one.deadline), key=lambda one: one.deadline)
            worker.end()
            return worker, late_crash(worker.job)
        if worker not in self._busy:
            return None  # the end of one that was late
        return worker, Crash(worker.end()) if answer is None else answer


def main() -> int:
    """Run as a worker: the function, then jobs, until the input ends."""
    request, answer = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # output that an analysis prints is no result
    run = read_message(request)
    if run is None:
        return 0
    return serve_jobs(pickle.loads(run), request, answer)  # noqa: S301  from the process that started us


if __name__ == "__main__":
    sys.exit(main())
