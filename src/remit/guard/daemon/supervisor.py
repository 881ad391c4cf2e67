"""The process that starts and ends the workers of a daemon and restarts killed ones. It decides nothing and opens no
store.

It holds the lock of the state folder, and so does every worker: no other daemon starts before the last worker is gone,
so two never decide for one session. Workers are forked from this process, which has one thread and nothing open but the
lock, the socket and the inboxes. They end with it, whatever they are doing.

(1) All workers start and listen. (2) A killed worker is restarted: clients that waited for it are denied, and its memory is restored from
the store. A worker that dies before it listens, or a moment later, takes the daemon down. (3) The supervisor ends when
it is stopped or idle, or when its socket, its interpreter or its package is removed or replaced: it removes the socket
and tells the workers, which finish what is under way. The next client starts a daemon that can be reached.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import GuardError

if TYPE_CHECKING:
    from remit.guard.daemon.server import Limits


class SharedCounters:
    """Counters in memory that the processes of a daemon share, one cell for each worker.

    Each worker writes its own cells and reads all. They decide nothing: they limit, count, and show when the daemon is idle.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.since = time.monotonic()
        cells = (memoryview(mmap.mmap(-1, 8 * workers)).cast("d") for _ in range(4))
        self.decided, self.connections, self.last, self.ready = cells  # `last`: the time of a worker's last question

    def clear(self, worker: int) -> None:
        """Reset a worker that starts or restarts: its connections are gone, its number of decisions continues."""
        self.connections[worker] = self.ready[worker] = 0
        self.last[worker] = time.monotonic()

    def decides(self, worker: int) -> None:
        """Count a decision."""
        self.decided[worker] += 1


_ENDS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
LISTENS = signal.SIGUSR1  # sent by a worker that listens
_HEARD = _ENDS | {LISTENS, signal.SIGCHLD}
_AT_LEAST = 1.0  # seconds that a worker must have lived to be restarted
_MORE = 5.0  # seconds for workers to end, beyond those for questions under way
_LOOK = 1.0  # seconds between two checks of the files that the daemon depends on
_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Supervisor:
    """The workers of one daemon."""

    def __init__(
        self,
        board: SharedCounters,
        limits: Limits,
        work: Callable[[int], None],
        make_way: Callable[[], None],
        rests_on: Iterable[Path] = (),
    ) -> None:
        self._board = board
        self._limits = limits
        self._work = work
        self._make_way = make_way
        self._workers: dict[int, tuple[int, float]] = {}  # by process id: number, and start
        self._files = {path: _identity(path) for path in rests_on}

    def live(self, ready: Callable[[], None]) -> None:
        """Run until stopped or idle. `ready` is called when all workers listen."""
        signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
        try:
            for index in range(self._board.workers):
                self._begin(index)
            listening = False
            while True:
                heard = signal.sigtimedwait(_HEARD, self._patience())
                if heard is not None and heard.si_signo in _ENDS:
                    return
                self._begin_anew()  # (2)
                if not listening and all(self._board.ready):
                    listening = True
                    ready()  # (1)
                if self._left() <= 0 and not any(self._board.connections):
                    return
                if any(_identity(path) != known for path, known in self._files.items()):
                    return
        finally:
            self._end()  # (3)

    def _left(self) -> float:
        return max(self._board.last) + self._limits.idle - time.monotonic()

    def _patience(self) -> float:
        return min(max(self._left(), 0.05), _LOOK)

    def _begin(self, index: int) -> None:
        self._board.clear(index)
        sys.stderr.flush()
        front = os.getpid()
        process = os.fork()
        if process:
            self._workers[process] = index, time.monotonic()
            return
        status = 1
        try:
            _end_with(front)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEARD)
            self._work(index)
            status = 0
        except BaseException as error:  # noqa: BLE001  nothing of the front may go on in a worker
            with contextlib.suppress(BaseException):
                sys.stderr.write(f"worker {index}: {type(error).__name__}: {error}\n")
                sys.stderr.flush()
        finally:
            os._exit(status)

    def _begin_anew(self) -> None:
        for number, since in self._dead():
            if time.monotonic() - since < _AT_LEAST:
                raise GuardError("a worker of the daemon died as soon as it began", "look at `guard.err`")
            self._begin(number)

    def _dead(self) -> list[tuple[int, float]]:
        found = []
        while self._workers:
            process, _ = os.waitpid(-1, os.WNOHANG)
            if not process:
                break
            found += [self._workers.pop(process)] if process in self._workers else []
        return found

    def _end(self) -> None:
        self._make_way()
        self._tell(signal.SIGTERM)
        end = time.monotonic() + self._limits.finish + _MORE
        while self._workers and time.monotonic() < end:
            self._dead()
            if self._workers:
                signal.sigtimedwait({signal.SIGCHLD}, 0.05)
        self._tell(signal.SIGKILL)
        for process in self._workers:
            os.waitpid(process, 0)
        self._workers.clear()

    def _tell(self, number: signal.Signals) -> None:
        for process in self._workers:
            os.kill(process, number)  # it is our unreaped child, so its process id has not been reused


def _identity(path: Path) -> tuple[int, ...]:
    """Return what distinguishes a file from another one at the same path; empty if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_mtime_ns)


def _end_with(front: int) -> None:
    """End with the supervisor, even if it is killed: a hanging worker would keep every other daemon from starting."""
    if ctypes.CDLL(None).prctl(_WITH_PARENT, signal.SIGKILL) != 0:
        raise GuardError("a worker cannot be tied to its daemon", "use a Linux kernel")
    if os.getppid() != front:  # it ended before that
        os._exit(1)
