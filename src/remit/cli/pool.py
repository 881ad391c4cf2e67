"""Worker processes, so that a skill that crashes or exhausts its worker costs nobody but itself.

Workers are forked after everything was imported, take one folder at a time and answer in JSON over a pipe. A worker
that dies is replaced, and the skill that it had is answered with `Crash`.
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


class Crash(NamedTuple):
    """A job without an answer."""

    reason: str


class _Worker:
    """The parent's side of one process."""

    def __init__(self, run: Callable[[int], bytes], memory: int, others: Sequence[_Worker]) -> None:
        request, self.request = os.pipe()
        self.answer, answer = os.pipe()
        self.data = bytearray()
        self.job: int | None = None
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

    def give(self, job: int, timeout: float) -> None:
        self.job = job
        self.deadline = time.monotonic() + timeout if timeout else 0.0
        with contextlib.suppress(BrokenPipeError):  # it died while idle; the end of its answers says so
            os.write(self.request, job.to_bytes(_HEADER, "big"))

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
    """The answer of `run` for each job, as they come."""
    if not hasattr(os, "fork"):
        yield from ((job, run(job)) for job in jobs)
        return
    waiting = list(reversed(jobs))
    busy: dict[int, _Worker] = {}
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                worker = _Worker(run, memory, list(busy.values()))
                worker.give(waiting.pop(), timeout)
                busy[worker.answer] = worker
            for worker in _ready(busy, timeout):
                job = worker.job
                assert job is not None
                late = bool(worker.deadline) and time.monotonic() >= worker.deadline
                handle = worker.answer
                answer = _late(worker, timeout) if late else worker.receive()
                if answer is None:
                    continue
                if isinstance(answer, Crash):
                    del busy[handle]
                elif waiting:
                    worker.give(waiting.pop(), timeout)
                else:
                    worker.end()
                    del busy[handle]
                yield job, answer
    finally:
        for worker in busy.values():
            worker.end(kill=True)


def _ready(busy: dict[int, _Worker], timeout: float) -> list[_Worker]:
    """Workers that say something, or whose time is up."""
    poll = select.poll()
    for handle in busy:
        poll.register(handle, select.POLLIN)
    wait = None
    if timeout:
        wait = max(0.0, min(worker.deadline for worker in busy.values()) - time.monotonic()) * 1000 + 1
    found = [busy[handle] for handle, _ in poll.poll(wait)]
    now = time.monotonic()
    return found or [worker for worker in busy.values() if worker.deadline and worker.deadline <= now]


def _late(worker: _Worker, timeout: float) -> Crash:
    worker.end(kill=True)
    return Crash(f"it took longer than {timeout:g} seconds")


def _serve(run: Callable[[int], bytes], request: int, answer: int, memory: int) -> int:
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


def _loop(run: Callable[[int], bytes], request: int, answer: int) -> int:
    while len(job := os.read(request, _HEADER)) == _HEADER:
        data = run(int.from_bytes(job, "big"))
        data = len(data).to_bytes(_HEADER, "big") + data
        sent = 0
        while sent < len(data):
            sent += os.write(answer, data[sent : sent + (1 << 16)])
        if _resident() > _COLLECT:
            gc.collect()
    return 0


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
