"""Worker processes, so that a skill that crashes or exhausts its worker affects only itself.

Workers are forked after all imports, take one job at a time and return results over a pipe. A worker that dies is
replaced, and its job results in `Crash`. Where processes cannot be forked, they are spawned (`spawned_workers`).
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    import resource
    from types import TracebackType

    from remit.checker.spawned_workers import SpawnedWorkers

_STACK = 512 * 1024 * 1024  # reserved, not used: deeply nested code needs deep recursion
_COLLECT = 200_000  # objects: analyses leave cycles; collecting them pays only when there are many (some 25 MB)
_HEADER = 8
_MAXRSS = 1 if sys.platform == "darwin" else 1024  # the kernel's unit


class Job(NamedTuple):
    """A worker's input, in bytes that it understands, and its time limit in seconds (0: none)."""

    data: bytes
    timeout: float = 0


class Crash(NamedTuple):
    """A job without a result; `late` if it timed out."""

    reason: str
    late: bool = False


class Cost:
    """The cost of finished workers: processor time in seconds, and the memory of the largest, in bytes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.memory = 0

    def add(self, used: resource.struct_rusage) -> None:
        """Add a finished worker."""
        self.seconds += used.ru_utime + used.ru_stime
        self.memory = max(self.memory, used.ru_maxrss * _MAXRSS)

    def take(self, other: Cost) -> None:
        """Add the cost of others."""
        self.seconds += other.seconds
        self.memory = max(self.memory, other.memory)


class _Worker:
    """The parent's side of one process."""

    def __init__(self, run: Callable[[bytes], bytes], memory: int, others: Sequence[_Worker], cost: Cost) -> None:
        self.cost = cost
        request, self.request = os.pipe()
        self.answer, answer = os.pipe()
        self.data = bytearray()
        self.job = Job(b"")
        self.deadline = 0.0
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                os.setpgid(0, 0)
                for handle in (self.request, self.answer, *(h for o in others for h in (o.request, o.answer))):
                    os.close(handle)
                status = _serve_forked(run, request, answer, memory)
            finally:
                os._exit(status)  # we must not use buffers or handlers of the parent
        os.close(request)
        os.close(answer)
        with contextlib.suppress(OSError):  # both sides set it, because the order is unknown
            os.setpgid(self.pid, self.pid)

    def give(self, job: Job) -> None:
        self.job = job
        self.deadline = time.monotonic() + job.timeout if job.timeout else 0.0
        with contextlib.suppress(BrokenPipeError):  # it died while idle, as the end of its output shows
            write_message(self.request, job.data)

    def receive(self) -> bytes | Crash | None:
        """Return a whole result, None if more is to come, or Crash if the worker is gone."""
        piece = os.read(self.answer, 1 << 20)
        if not piece:
            return Crash(self.end())
        self.data += piece
        size = int.from_bytes(self.data[:_HEADER], "big")
        if len(self.data) < _HEADER or len(self.data) < _HEADER + size:
            return None
        answer = bytes(self.data[_HEADER : _HEADER + size])
        self.data.clear()
        return answer

    def end(self, *, kill: bool = False) -> str:
        """End and reap the worker, with all that it started; return the reason of its end."""
        os.close(self.request)
        os.close(self.answer)
        if not kill:
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)  # its process id is not reused before it is reaped
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS refuses if only dead processes are left
            os.killpg(self.pid, signal.SIGKILL)
        _, ended, used = os.wait4(self.pid, 0)
        self.cost.add(used)
        status = os.waitstatus_to_exitcode(ended)
        return f"its process was ended by signal {-status}" if status < 0 else f"its process ended with status {status}"


def cores() -> int:
    """Return the number of processes that can run in parallel here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_jobs(
    run: Callable[[int], bytes], jobs: Sequence[int], workers: int, *, memory: int = 0, timeout: float = 0
) -> Iterator[tuple[int, bytes | Crash]]:
    """Yield the result of `run` for each of some numbers, as they come."""
    waiting = iter(jobs)

    def take() -> Job | None:
        number = next(waiting, None)
        return None if number is None else Job(str(number).encode("ascii"), timeout)

    with Pool(partial(_of_number, run), workers, memory=memory) as pool:
        for job, answer in pool.work_off(take):
            yield int(job.data), answer


def _of_number(run: Callable[[int], bytes], data: bytes) -> bytes:
    return run(int(data))


class Pool:
    """A pool of workers. They are started when there is work, and live until the pool is closed."""

    def __init__(self, run: Callable[[bytes], bytes], workers: int, *, memory: int = 0) -> None:
        self.cost = Cost()
        self._run = run
        self._workers = workers
        self._memory = memory
        self._busy: dict[int, _Worker] = {}
        self._idle: list[_Worker] = []
        self._spawned: SpawnedWorkers | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the workers, whatever they are doing."""
        for worker in (*self._busy.values(), *self._idle):
            worker.end(kill=True)
        self._busy.clear()
        self._idle.clear()
        if self._spawned:
            self._spawned.end()

    def work_off(self, take: Callable[[], Job | None]) -> Iterator[tuple[Job, bytes | Crash]]:
        """Yield the result of `run` for each job, as they come.

        `take` returns the next job, or None if there is none at present: it is called again after each result, and the
        work is done when there is none and no worker is busy.
        """
        if not hasattr(os, "fork"):
            from remit.checker.spawned_workers import SpawnedWorkers  # noqa: PLC0415  other systems need them never

            self._spawned = self._spawned or SpawnedWorkers(self._run, self._workers)
            yield from self._spawned.work_off(take)
            return
        while self._fill(take):
            for worker in _ready(self._busy):
                handle = worker.answer
                late = bool(worker.deadline) and time.monotonic() >= worker.deadline
                answer = _late(worker) if late else worker.receive()
                if answer is None:
                    continue
                job = worker.job
                del self._busy[handle]
                if not isinstance(answer, Crash):
                    self._idle.append(worker)
                self._fill(take)  # workers go on while the caller handles a result
                yield job, answer

    def _fill(self, take: Callable[[], Job | None]) -> bool:
        """Give work to idle workers; return whether any worker is busy."""
        while len(self._busy) < self._workers and (job := take()) is not None:
            others = list(self._busy.values())
            worker = self._idle.pop() if self._idle else _Worker(self._run, self._memory, others, self.cost)
            worker.give(job)
            self._busy[worker.answer] = worker
        return bool(self._busy)


def _ready(busy: dict[int, _Worker]) -> list[_Worker]:
    """Return workers with output, or whose time is up."""
    poll = select.poll()
    for handle in busy:
        poll.register(handle, select.POLLIN)
    deadlines = [worker.deadline for worker in busy.values() if worker.deadline]
    wait = max(0.0, min(deadlines) - time.monotonic()) * 1000 + 1 if deadlines else None
    found = {handle for handle, _ in poll.poll(wait)}
    now = time.monotonic()  # a timeout is handled even while other workers have much output
    return [one for handle, one in busy.items() if handle in found or (one.deadline and one.deadline <= now)]


def _late(worker: _Worker) -> Crash:
    worker.end(kill=True)
    return late_crash(worker.job)


def late_crash(job: Job) -> Crash:
    """Return the result of a job that took too long."""
    return Crash(f"it took longer than {job.timeout:g} seconds", late=True)


def _serve_forked(run: Callable[[bytes], bytes], request: int, answer: int, memory: int) -> int:
    """Run the child's side after a fork. Returns the exit status."""
    if not os.environ.get("REMIT_DEBUG"):
        null = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
        sys.stdout = sys.stderr = os.fdopen(null, "w")
    if memory:
        import resource  # noqa: PLC0415

        inherited = _held()  # memory of the parent is shared, and does not count for the skill
        most = inherited + memory + _STACK
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    return serve_jobs(run, request, answer)


def serve_jobs(run: Callable[[bytes], bytes], request: int, answer: int) -> int:
    """Run the child's side: jobs until the parent closes the pipe, on a large enough stack. Returns the exit status."""
    import threading  # noqa: PLC0415  only children need it
    import warnings  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    warnings.simplefilter("ignore")  # Python's warnings about a skill's source are not our messages
    threading.stack_size(_STACK)
    gc.freeze()  # memory of the parent is shared, and stays so if the collector does not touch it
    gc.disable()  # `_loop` says when
    ended: list[int] = []
    thread = threading.Thread(target=lambda: ended.append(_loop(run, request, answer)))
    thread.start()
    thread.join()
    return ended[0] if ended else 1


def _loop(run: Callable[[bytes], bytes], request: int, answer: int) -> int:
    while (job := read_message(request)) is not None:
        if gc.get_count()[0] > _COLLECT:  # created since the last collection, and still alive; the last job needs none
            gc.collect()
            gc.freeze()  # tables that were read stay, and are not scanned again
        write_message(answer, run(job))
    return 0


def read_message(handle: int) -> bytes | None:
    """Return one message; None at the end."""
    data = bytearray()
    wanted = _HEADER
    while len(data) < wanted:
        piece = os.read(handle, wanted - len(data))
        if not piece:
            return None
        data += piece
        if wanted == _HEADER == len(data):
            wanted += int.from_bytes(data, "big")
    return bytes(data[_HEADER:])


def write_message(handle: int, data: bytes) -> None:
    """Write one message: its length and content."""
    data = len(data).to_bytes(_HEADER, "big") + data
    sent = 0
    while sent < len(data):
        sent += os.write(handle, data[sent : sent + (1 << 16)])


def _held() -> int:
    """Return the address space of this process, in bytes; 0 where it is unknown."""
    try:
        with open("/proc/self/statm", "rb") as handle:
            return int(handle.read().split()[0]) * 4096
    except (OSError, ValueError):
        return 0
