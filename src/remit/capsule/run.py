"""The only function that starts a program of a skill for a test: with a permit, confined and observed.

(1) The permit names the command. (2) The programs that confine and observe are found; without them nothing starts.
(3) The command is run in the sandbox under strace, and killed when a limit is reached. (4) The log is read as acts, from the moment
at which the command starts. (5) Lost calls are reported; a run with a lost call is not fully observed.

strace runs outside of the sandbox: the observed program has its own process namespace, so that it can neither see
nor signal strace, and the log is a pipe in a folder outside the sandbox.
"""

from __future__ import annotations

import json
import os
import platform
import posixpath
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.bubblewrap import sandboxed, write_settings
from remit.capsule.confinement import SKILL, Confinement
from remit.capsule.kernel import USERNS, find_tools
from remit.capsule.seccomp import seccomp_filter
from remit.capsule.trace import OPTIONS, TRACED, Acts, Exit, Reader, SystemCall
from remit.core.errors import CapsuleError
from remit.policy.permit import Permit

if TYPE_CHECKING:
    from remit.capsule.confinement import Limits
    from remit.capsule.trace import Act


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


class RunEnd(NamedTuple):
    """The end of a run: how, the status of the command if it exited, and the beginning of its output."""

    how: Ending
    code: int | None
    output: bytes
    observer: int  # the status of strace; it ends as what it watches ends


def supervise(
    permit: Permit, command: Callable[[Channels], list[str]], log: Path, limits: Limits, line: Callable[[str], None]
) -> RunEnd:
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

    def run(self, command: Callable[[Channels], list[str]], calls: bytes) -> RunEnd:
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

    def _see_through(self, process: subprocess.Popen[bytes], log: int, state: int) -> RunEnd:
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
        return RunEnd(how, code if how is Ending.EXITED else None, self._output, observer)

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


class Observed(NamedTuple):
    """A run: how it ended, its output, and its acts. With `problems` the acts are incomplete."""

    how: Ending
    code: int | None
    output: str
    acts: tuple[Act, ...]
    problems: tuple[str, ...] = ()
    tools: tuple[tuple[str, str], ...] = ()  # what confined and watched it

    @property
    def complete(self) -> bool:
        """Whether all acts were observed."""
        return not self.problems


class Watch:
    """A reader of a growing log. It skips the sandbox itself, and processes that existed before the command: the first
    of the namespace closes what it does not need when the command may have begun already.
    """

    def __init__(self, launcher: str, links: Mapping[str, str]) -> None:
        self.acts: dict[Act, None] = {}
        self.started = False
        self.launched = False
        self._launcher = launcher
        self._reader = Reader()
        self._acts = Acts(SKILL, links)
        self._root = 0
        self._alive: set[int] = set()
        self._sandbox: frozenset[int] = frozenset()

    def line(self, line: str) -> None:
        """Process one more line."""
        item = self._reader.line(line)
        if item is None:
            return
        self._root = self._root or item.pid
        if isinstance(item, Exit):
            self._alive.discard(item.pid)
            return
        self._alive.add(item.pid)
        if item.pid in self._sandbox:
            return
        if self.started:
            self._add(item)
        elif item.name == "execve" and not item.error:
            self._add(item)
            self.acts.clear()
            self.started = self.launched  # the first program after the launcher is the command (4)
            self._sandbox = frozenset(self._alive - {item.pid}) if self.started else self._sandbox
            self.launched = self.launched or item.args[0] == f'"{self._launcher}"'

    def _add(self, item: SystemCall) -> None:
        for act in self._acts.of((item,)):
            self.acts.setdefault(act)

    def end(self) -> tuple[str, ...]:
        """Process the rest, and return what was lost."""
        for item in self._reader.rest():
            if self.started and item.pid not in self._sandbox:
                self._add(item)
        for act in self._acts.rest():
            self.acts.setdefault(act)
        problems = [*self._reader.problems, *self._acts.problems]
        if not self._root or self._alive:
            problems.append("the log ends before the programs do")
        return tuple(dict.fromkeys(problems))


def run_confined(permit: Permit, command: Sequence[str], confinement: Confinement, scratch: Path) -> Observed:
    """Run the command of a permit. `scratch` is a folder that is made for this run alone."""
    if type(permit) is not Permit:  # (1)
        raise CapsuleError("nothing is started without a permit", "ask the projector for one")
    if shlex.split(permit.request.command) != list(command):
        raise CapsuleError("the permit is for another command", "ask for a permit for this one")
    tools = find_tools(permit)  # (2)
    settings = scratch / "etc"
    settings.mkdir(parents=True)
    write_settings(permit, settings, confinement)
    log = scratch / "log"
    watch = Watch(tools.prlimit.path, _links(confinement.skill))

    def confined(channels: Channels) -> list[str]:
        inner = sandboxed(permit, confinement, command, tools, settings, channels)
        return [tools.strace.path, *OPTIONS, "-o", str(log), "-e", f"trace={TRACED}", *inner]

    ended = supervise(permit, confined, log, confinement.limits, watch.line)  # (3)
    problems = watch.end()
    if not watch.launched and ended.how in (Ending.EXITED, Ending.FAILED):
        raise _not_started(ended)
    said = ended.output.decode("utf-8", "replace")
    known = tuple(sorted((name, tool.identity) for name, tool in tools._asdict().items()))
    return Observed(ended.how, ended.code, said, tuple(watch.acts), _lost(problems, ended), known)


def _lost(problems: tuple[str, ...], ended: RunEnd) -> tuple[str, ...]:
    """Return what was not observed (5)."""
    if ended.how is Ending.LOG:
        return (*problems, "the log is longer than its limit")
    if ended.how is Ending.EXITED and ended.observer != ended.code:
        return (*problems, f"the observer ended with status {ended.observer}")
    return problems


def _not_started(ended: RunEnd) -> CapsuleError:
    said = " ".join(ended.output.decode("utf-8", "replace").split())[:300]
    if ended.how is Ending.EXITED:  # the sandbox is there, but not the copy in it
        return CapsuleError(f"the skill cannot be copied into the sandbox: {said}", "make it smaller than 256 MiB")
    return CapsuleError(f"the sandbox cannot be made here, so nothing was run: {said or 'no reason was given'}", USERNS)


def _links(skill: Path) -> dict[str, str]:
    """Return the symbolic links of a staged skill, as the program sees them."""
    found: dict[str, str] = {}
    for path in skill.rglob("*"):
        if path.is_symlink():
            found[posixpath.join(SKILL, path.relative_to(skill).as_posix())] = str(path.readlink())
    return found
