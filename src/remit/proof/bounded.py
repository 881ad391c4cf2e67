"""External checkers and solvers, run with limits on time, memory and output.

Their input may be hostile. A program that exceeds a limit has no result, and never a positive one.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias, cast

if TYPE_CHECKING:
    from pathlib import Path

_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH", "SYSTEMROOT")  # no variable that affects a checker


class Finished(NamedTuple):
    """A program that ended by itself."""

    status: int
    out: bytes
    err: bytes


class Exceeded(NamedTuple):
    """A program that could not be started or was killed, and why."""

    reason: str


Ended: TypeAlias = "Finished | Exceeded"


class Bounds(NamedTuple):
    """The limits of a program."""

    seconds: float = 60.0
    megabytes: int = 2048
    output: int = 64 * 1024 * 1024


class Running:
    """A running program. Several can be started before one is waited for."""

    def __init__(self, argv: Sequence[str], bounds: Bounds, files: Sequence[BinaryIO], **how: Any) -> None:
        self._bounds = bounds
        self._given, self._out, self._err = files
        self._end = time.monotonic() + bounds.seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._failure = ""
        try:
            self._child = subprocess.Popen(  # noqa: S603  our own checkers, by their paths
                list(argv),
                stdin=self._given,
                stdout=self._out,
                stderr=self._err,
                start_new_session=True,
                preexec_fn=partial(_limit, bounds, _prctl()),  # noqa: PLW1509  no threads here, and only limits are set
                **how,
            )
        except OSError as error:
            self._failure = f"`{argv[0]}` cannot be started: {error.strerror}"

    def finish(self) -> Ended:
        """Wait for the end, or kill it at its limits."""
        try:
            if self._child is None:
                return Exceeded(self._failure)
            status = self._child.wait(max(0.0, self._end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return Exceeded(f"it took longer than {self._bounds.seconds:g} seconds")
        else:
            if status < 0:
                return Exceeded(f"it was ended by {signal.Signals(-status).name}")
            return Finished(status, _all_of(self._out), _all_of(self._err))
        finally:
            self.stop()

    def stop(self) -> None:
        """Kill it with everything that it started, and discard its output."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
        for file in (self._given, self._out, self._err):
            file.close()


def start(
    argv: Sequence[str],
    bounds: Bounds,
    *,
    stdin: bytes = b"",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Running:
    """Start a program. Output goes to files, so that a flood meets a limit and not our memory."""
    files = [cast("BinaryIO", tempfile.TemporaryFile()) for _ in range(3)]  # noqa: SIM115  `stop` closes them
    files[0].write(stdin)
    files[0].seek(0)
    inherited = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return Running(argv, bounds, files, cwd=folder, env=inherited | dict(environment or {}))


def run(argv: Sequence[str], bounds: Bounds, **how: Any) -> Ended:
    """Run a program to its end; the arguments are those of `start`."""
    return start(argv, bounds, **how).finish()


def _prctl() -> Callable[..., int] | None:
    """Return the Linux call by which a process asks to end with its parent; None elsewhere."""
    import ctypes  # noqa: PLC0415  only who starts a program needs it

    return getattr(ctypes.CDLL(None), "prctl", None)


def _limit(bounds: Bounds, prctl: Callable[..., int] | None) -> None:
    if prctl is not None:
        prctl(_END_WITH_PARENT, signal.SIGKILL)  # if the waiting process is killed, nothing else would stop this one
    memory = bounds.megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (bounds.output, bounds.output))
    # what it starts itself does not end with our process, and neither does it where there is no prctl
    busy = math.ceil(bounds.seconds) * 2  # a program may keep more than one core busy
    resource.setrlimit(resource.RLIMIT_CPU, (busy, busy + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _all_of(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()
