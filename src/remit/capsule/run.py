"""The only function that starts a program of a skill for a test: with a permit, confined and observed.

(1) The permit names the command. (2) The programs that confine and observe are found; without them nothing starts.
(3) The command is run in the sandbox under strace. (4) The log is read as acts, from the moment at which the command starts.
(5) Lost calls are reported; a run with a lost call is not fully observed.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.acts import Acts
from remit.capsule.confinement import SKILL, Confinement
from remit.capsule.sandbox import sandboxed, write_settings
from remit.capsule.supervisor import Channels, Ended, Ending, supervise, traced
from remit.capsule.tools import find_tools, identities
from remit.capsule.trace import Call, Exit, Reader
from remit.core.errors import CapsuleError
from remit.policy.permit import Permit

if TYPE_CHECKING:
    from pathlib import Path

    from remit.capsule.act import Act

_USERNS = "allow user namespaces (kernel.unprivileged_userns_clone, apparmor_restrict_unprivileged_userns), or use a machine that does"


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

    def _add(self, item: Call) -> None:
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
        return traced(tools.strace.path, log, sandboxed(permit, confinement, command, tools, settings, channels))

    ended = supervise(permit, confined, log, confinement.limits, watch.line)  # (3)
    problems = watch.end()
    if not watch.launched and ended.how in (Ending.EXITED, Ending.FAILED):
        raise _not_started(ended)
    said = ended.output.decode("utf-8", "replace")
    return Observed(ended.how, ended.code, said, tuple(watch.acts), _lost(problems, ended), identities(tools))


def _lost(problems: tuple[str, ...], ended: Ended) -> tuple[str, ...]:
    """Return what was not observed (5)."""
    if ended.how is Ending.LOG:
        return (*problems, "the log is longer than its limit")
    if ended.how is Ending.EXITED and ended.observer != ended.code:
        return (*problems, f"the observer ended with status {ended.observer}")
    return problems


def _not_started(ended: Ended) -> CapsuleError:
    said = " ".join(ended.output.decode("utf-8", "replace").split())[:300]
    if ended.how is Ending.EXITED:  # the sandbox is there, but not the copy in it
        return CapsuleError(f"the skill cannot be copied into the sandbox: {said}", "make it smaller than 256 MiB")
    return CapsuleError(
        f"the sandbox cannot be made here, so nothing was run: {said or 'no reason was given'}", _USERNS
    )


def _links(skill: Path) -> dict[str, str]:
    """Return the symbolic links of a staged skill, as the program sees them."""
    found: dict[str, str] = {}
    for path in skill.rglob("*"):
        if path.is_symlink():
            found[posixpath.join(SKILL, path.relative_to(skill).as_posix())] = str(path.readlink())
    return found
