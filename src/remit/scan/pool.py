"""Worker processes, so that a skill that crashes or exhausts its worker costs nobody but itself.

Workers are forked after everything was imported, take one job at a time and answer over a pipe. A worker that dies is
replaced, and the job that it had is answered with `Crash`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_STACK = 512 * 1024 * 1024  # reserved, not used: deep code makes deep recursion
_COLLECT = 100 * 1024 * 1024  # a skill leaves cycles behind; searching for them pays only when they are many
_HEADER = 8


class Job(NamedTuple):
    """What a worker is asked, in bytes that it understands, and the seconds that it may take (0: any)."""

    data: bytes
    timeout: float = 0


class Crash(NamedTuple):
    """A job without an answer; `late` if it took too long."""

    reason: str
    late: bool = False


class _Worker:
    """The parent's side of one process."""

    def __init__(self, run: Callable[[bytes], bytes], memory: int, others: Sequence[_Worker]) -> None:
        request, self.request = os.pipe()
        self.answer, answer = os.pipe()
        self.data = bytearray()
        self.job = Job(b"")
        self.deadline = 0.0
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                for handle in (self.request, self.answer, *(h for o in others for h in (o.request, o.answer))):
                    os.close(handle)
                status = _serve(run, request, answer, memory)
            finally:
                os._exit(status)  # neither buffers nor handlers of the parent are ours to run
        os.close(request)
        os.close(answer)

    def give(self, job: Job) -> None:
        self.job = job
        self.deadline = time.monotonic() + job.timeout if job.timeout else 0.0
        with contextlib.suppress(BrokenPipeError):  # it died while idle; the end of its answers says so
            _write(self.request, job.data)

    def receive(self) -> bytes | Crash | None:
        """A whole answer, None if more is to come, or Crash if the worker is gone."""
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
        """Close and collect; the reason why it ended."""
        if kill:
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.request)
        os.close(self.answer)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return f"its process was ended by signal {-status}" if status < 0 else f"its process ended with status {status}"


def cores() -> int:
    """How many processes do something at a time here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_jobs(
    run: Callable[[int], bytes], jobs: Sequence[int], workers: int, *, memory: int = 0, timeout: float = 0
) -> Iterator[tuple[int, bytes | Crash]]:
    """The answer of `run` for each of some numbers, as they come."""
    waiting = iter(jobs)

    def take() -> Job | None:
        number = next(waiting, None)
        return None if number is None else Job(str(number).encode("ascii"), timeout)

    for job, answer in work_off(lambda data: run(int(data)), take, workers, memory=memory):
        yield int(job.data), answer


def work_off(
    run: Callable[[bytes], bytes], take: Callable[[], Job | None], workers: int, *, memory: int = 0
) -> Iterator[tuple[Job, bytes | Crash]]:
    """The answer of `run` for each job, as they come.

    `take` gives the next job, or None if there is none at present: it is asked again after each answer, and the work is
    done when there is none and nobody works.
    """
    if not hasattr(os, "fork"):
        while (job := take()) is not None:
            yield job, run(job.data)
        return
    busy: dict[int, _Worker] = {}
    idle: list[_Worker] = []

    def fill() -> None:
        while len(busy) < workers and (job := take()) is not None:
            worker = idle.pop() if idle else _Worker(run, memory, list(busy.values()))
            worker.give(job)
            busy[worker.answer] = worker

    try:
        while True:
            fill()
            if not busy:
                break
            for worker in _ready(busy):
                handle = worker.answer
                late = bool(worker.deadline) and time.monotonic() >= worker.deadline
                answer = _late(worker) if late else worker.receive()
                if answer is None:
                    continue
                job = worker.job
                del busy[handle]
                if not isinstance(answer, Crash):
                    idle.append(worker)
                fill()  # nobody waits for whoever reads the answers
                yield job, answer
    finally:
        for worker in (*busy.values(), *idle):
            worker.end(kill=True)


def _ready(busy: dict[int, _Worker]) -> list[_Worker]:
    """Workers that say something, or whose time is up."""
    poll = select.poll()
    for handle in busy:
        poll.register(handle, select.POLLIN)
    deadlines = [worker.deadline for worker in busy.values() if worker.deadline]
    wait = max(0.0, min(deadlines) - time.monotonic()) * 1000 + 1 if deadlines else None
    found = [busy[handle] for handle, _ in poll.poll(wait)]
    now = time.monotonic()
    return found or [worker for worker in busy.values() if worker.deadline and worker.deadline <= now]


def _late(worker: _Worker) -> Crash:
    worker.end(kill=True)
    return Crash(f"it took longer than {worker.job.timeout:g} seconds", late=True)


def _serve(run: Callable[[bytes], bytes], request: int, answer: int, memory: int) -> int:
    """The child's side: jobs until the parent closes the pipe, on a stack that is large enough. The status to exit with."""
    import threading  # noqa: PLC0415  only children need it
    import warnings  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    warnings.simplefilter("ignore")  # what Python thinks of a skill's source is no message of ours
    if not os.environ.get("REMIT_DEBUG"):
        null = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
        sys.stdout = sys.stderr = os.fdopen(null, "w")
    if memory:
        import resource  # noqa: PLC0415

        inherited = _held()[0]  # what the parent holds is shared, and no fault of the skill
        most = inherited + memory + _STACK
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    threading.stack_size(_STACK)
    gc.freeze()  # what the parent made is shared, and stays so if nobody looks at it
    gc.disable()  # `_loop` says when
    ended: list[int] = []
    thread = threading.Thread(target=lambda: ended.append(_loop(run, request, answer)))
    thread.start()
    thread.join()
    return ended[0] if ended else 1


def _loop(run: Callable[[bytes], bytes], request: int, answer: int) -> int:
    while (job := _read(request)) is not None:
        _write(answer, run(job))
        if _resident() > _COLLECT:
            gc.collect()
    return 0


def _read(handle: int) -> bytes | None:
    """One message; None at the end."""
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


def _write(handle: int, data: bytes) -> None:
    """One message: its length, and what it says."""
    data = len(data).to_bytes(_HEADER, "big") + data
    sent = 0
    while sent < len(data):
        sent += os.write(handle, data[sent : sent + (1 << 16)])


def _resident() -> int:
    """The memory that this process holds, in bytes; where that cannot be told, as much as to collect each time."""
    return _held()[1] or _COLLECT + 1


def _held() -> tuple[int, int]:
    """The address space and the memory of this process, in bytes; nothing where that cannot be told."""
    try:
        with open("/proc/self/statm", "rb") as handle:  # noqa: PTH123  once a skill, and a Path is slower to make
            size, resident = handle.read().split()[:2]
    except (OSError, ValueError):
        return 0, 0
    return int(size) * 4096, int(resident) * 4096
