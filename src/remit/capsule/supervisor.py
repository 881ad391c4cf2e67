"""The supervisor of a confined run: it reads output and log, and kills the run when a limit is reached.

strace runs outside of the sandbox: the observed program has its own process namespace, so that it can neither see
nor signal strace, and the log is a pipe in a folder outside the sandbox.
"""

from __future__ import annotations

import json
import os
import platform
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.seccomp import seccomp_filter
from remit.capsule.trace import OPTIONS, TRACED

if TYPE_CHECKING:
    from pathlib import Path

    from remit.capsule.confinement import Limits
    from remit.policy.permit import Permit

NOBODY = 65534  # who a run belongs to when root starts it
_PIECE = 1 << 16
_GRACE = 10.0  # seconds in which everything is gone after it was ended


class Ending(StrEnum):
    """How a run ended."""

    EXITED = "exited"
    TIME = "time limit"
    OUTPUT = "output limit"
    LOG = "log limit"
    FAILED = "not started"  # the sandbox could not be made


class Channels(NamedTuple):
    """Descriptors that the sandbox gets and does not pass on: for its status, and for its call filter."""

    status: int
    filter: int


class Ended(NamedTuple):
    """The end of a run: how, the status of the command if it exited, and the beginning of its output."""

    how: Ending
    code: int | None
    output: bytes
    observer: int  # the status of strace; it ends as what it watches ends


def traced(strace: str, log: Path, command: list[str]) -> list[str]:
    """Return the command line that runs a command and logs it."""
    return [strace, *OPTIONS, "-o", str(log), "-e", f"trace={TRACED}", *command]


def supervise(
    permit: Permit, command: Callable[[Channels], list[str]], log: Path, limits: Limits, line: Callable[[str], None]
) -> Ended:
    """Run what `command` returns for its channels until it ends, passing each line of its log to `line`."""
    return _Supervisor(permit, log, limits, line).run(command, seccomp_filter(platform.machine()))


class _Supervisor:
    """Reads log, output and status of one run until all of them end."""

    def __init__(self, permit: Permit, log: Path, limits: Limits, line: Callable[[str], None]) -> None:
        self.permit = permit
        self._limits = limits
        self._line = line
        self._log = log
        self._output = b""
        self._status = b""
        self._rest = b""
        self._seen = 0
        self._how = Ending.EXITED

    def run(self, command: Callable[[Channels], list[str]], calls: bytes) -> Ended:
        """Start the run, and wait for its end."""
        os.mkfifo(self._log, 0o600)
        user = NOBODY if os.getuid() == 0 else None
        if user is not None:
            os.chown(self._log, user, user)
        log = os.open(self._log, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        state, their_state = os.pipe()
        filtering, their_filter = os.pipe()
        os.write(their_filter, calls)  # shorter than what a pipe holds
        os.close(their_filter)
        try:
            process = subprocess.Popen(  # noqa: S603  (the one place that starts something of a skill)
                command(Channels(their_state, filtering)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self._log.parent,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                pass_fds=(their_state, filtering),
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
                umask=0o022,
            )
            os.close(their_state)
            os.close(filtering)
            return self._see_through(process, log, state)
        finally:
            os.close(log)
            os.close(state)

    def _see_through(self, process: subprocess.Popen[bytes], log: int, state: int) -> Ended:
        assert process.stdout is not None
        deadline = time.monotonic() + self._limits.seconds
        with selectors.DefaultSelector() as waiting, process:
            for source, take in (
                (log, self._take_log),
                (process.stdout.fileno(), self._take_output),
                (state, self._take_state),
            ):
                os.set_blocking(source, False)
                waiting.register(source, selectors.EVENT_READ, take)
            while waiting.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    if self._how is not Ending.EXITED:
                        process.kill()  # it was ended and does not go
                        break
                    self._end(Ending.TIME, process)
                    deadline = time.monotonic() + _GRACE
                    continue
                for key, _ in waiting.select(min(left, 1.0)):
                    before = self._how
                    if not self._take(key.fd, key.data, process):
                        waiting.unregister(key.fd)
                    if self._how is not before:
                        deadline = time.monotonic() + _GRACE
                if process.poll() is not None and log in waiting.get_map() and not waiting.select(0):
                    break  # the observer never opened its log
            observer = process.wait(_GRACE)
        if self._rest:
            self._line(self._rest.decode("latin-1"))
        code = said(self._status, "exit-code")
        how = self._how if self._how is not Ending.EXITED or code is not None else Ending.FAILED
        return Ended(how, code if how is Ending.EXITED else None, self._output, observer)

    def _take(self, source: int, take: Callable[[bytes], Ending | None], process: subprocess.Popen[bytes]) -> bool:
        """Read a chunk; return False at the end."""
        try:
            piece = os.read(source, _PIECE)
        except BlockingIOError:
            return True
        if not piece:
            return False
        ending = take(piece)
        if ending is not None and self._how is Ending.EXITED:
            self._end(ending, process)
        return True

    def _take_log(self, piece: bytes) -> Ending | None:
        self._seen += len(piece)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._line(line.decode("latin-1"))
        return Ending.LOG if self._seen > self._limits.log else None

    def _take_output(self, piece: bytes) -> Ending | None:
        room = self._limits.output - len(self._output)
        self._output += piece[:room]
        return Ending.OUTPUT if len(piece) > room else None

    def _take_state(self, piece: bytes) -> None:
        self._status = (self._status + piece)[:_PIECE]

    def _end(self, how: Ending, process: subprocess.Popen[bytes]) -> None:
        """Kill the first process of the namespace, and with it all others: the log then ends properly."""
        self._how = how
        first = said(self._status, "child-pid")
        with suppress(ProcessLookupError):
            if first is None:
                process.kill()
            else:
                os.kill(first, signal.SIGKILL)


def said(status: bytes, field: str) -> int | None:
    """Return a number that the sandbox reported about itself."""
    for line in status.decode("utf-8", "replace").splitlines():
        with suppress(ValueError):
            found = json.loads(line).get(field)
            if isinstance(found, int):
                return found
    return None
