"""Checks of all hosts: our client is called, answers, denies unknown input, is fast, and no one else can change it."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from remit.core.counting import counted
from remit.core.errors import DataError, GuardError, RemitError
from remit.core.table import read_table
from remit.guard.install.model import HOST_SECONDS, Lock, Site, Trap

FILE = Path(__file__).parents[1] / "data" / "traps.table"


class CheckResult(NamedTuple):
    """The result of a check."""

    lock: Lock
    detail: str


Seen = TypeVar("Seen")


def closed(detail: str) -> CheckResult:
    """Return the result for a bypass that is closed."""
    return CheckResult(Lock.CLOSED, detail)


def opened(detail: str) -> CheckResult:
    """Return the result for a bypass that is open."""
    return CheckResult(Lock.OPEN, detail)


class CommandResult(NamedTuple):
    """The result of running the command."""

    status: int | None  # None: it timed out
    stdout: str
    stderr: str
    milliseconds: int

    def value(self) -> dict[str, Any] | None:
        """Return the object that it printed; None if it printed something else."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


def ask(command: str, text: str, cwd: Path, environ: Mapping[str, str] = os.environ) -> CommandResult:
    """Run a command in a shell with this standard input, for as long as a host would wait."""
    begin = time.monotonic()
    try:
        done = subprocess.run(  # noqa: S602  a command of the settings, as the host runs it
            command, shell=True, input=text.encode(), cwd=cwd, env=dict(environ), capture_output=True,
            timeout=HOST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return CommandResult(None, "", "", _since(begin))
    return CommandResult(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), _since(begin)
    )


def _since(begin: float) -> int:
    return round((time.monotonic() - begin) * 1000)


_OTHERS_WRITE = 0o022


class Hook(NamedTuple):
    """One hook of ours in the settings."""

    event: str
    command: str
    waits: float | None  # seconds after which the host continues without an answer; None: not given in a known form


class InstalledHooks(NamedTuple):
    """The hooks in the settings of a host, and a call that does nothing there."""

    host: str
    site: Site
    events: tuple[str, ...]  # at which we want to be called
    hooks: tuple[Hook, ...]
    before: str  # the event before a tool
    harmless: Mapping[str, Any]
    environ: Mapping[str, str] = os.environ  # of the host, which passes it to hooks
    holds: Callable[[Mapping[str, Any]], bool] = lambda answer: (
        "deny" in json.dumps(answer)
    )  # whether an answer stops a call

    def asked_before(self) -> tuple[str, ...]:
        """Return the commands before a tool; an error if there are none."""
        found = tuple(hook.command for hook in self.hooks if hook.event == self.before)
        if not found:
            raise GuardError("the guard is not installed")
        return found


def _check_hooks(ours: InstalledHooks) -> CheckResult:
    """Check that our client is called at every event."""
    missing = [event for event in ours.events if event not in {hook.event for hook in ours.hooks}]
    if len(missing) == len(ours.events):
        return opened("the guard is not installed")
    return (
        opened(f"the guard is not called at {', '.join(missing)}")
        if missing
        else closed(f"called at {counted(len(ours.events), 'event')}")
    )


def _check_answer(ours: InstalledHooks) -> CheckResult:
    """Check that a call that does nothing passes, through the very command in the settings."""
    took = 0
    for command in ours.asked_before():
        answer = ask(command, json.dumps(ours.harmless), ours.site.project, ours.environ)
        took = max(took, answer.milliseconds)
        if answer.status is None:
            return opened("the command is late")
        value = answer.value()
        if answer.status or value is None:
            said = answer.stderr.strip().partition("\n")[0] or "nothing"
            return opened(f"the command exits with {answer.status} and says: {said}")
        if ours.holds(value):
            return opened(f"a call that does nothing does not pass: {answer.stdout.strip()}")
    return closed(f"a call that does nothing passes, in {took} ms")


def _check_fail_open(ours: InstalledHooks) -> CheckResult:
    """Check that an invalid event is denied: exit status 2 and a reason, without which some hosts continue."""
    for command in ours.asked_before():
        answer = ask(command, "{", ours.site.project, ours.environ)
        if answer.status != 2 or not answer.stderr.strip():
            return opened(f"an invalid event is answered with exit status {answer.status}")
    return closed("an invalid event is denied")


def _check_time_out(ours: InstalledHooks) -> CheckResult:
    """Check that our client gives up, and denies, before the host stops waiting and continues."""
    ours.asked_before()
    for hook in ours.hooks:
        own = client_seconds(hook.command, ours.host)
        if own is None or hook.waits is None or hook.waits <= own:
            return opened(f"at {hook.event} the host waits {hook.waits} s, our client {own} s")
    return closed("Remit's client denies before the host continues")


def _check_writable(ours: InstalledHooks) -> CheckResult:
    """Check that no other user can write the client, or the interpreter that runs it."""
    ours.asked_before()
    for path in dict.fromkeys(path for hook in ours.hooks for path in programs(hook.command, ours.host)):
        if not path.is_absolute() or not path.is_file():
            return opened(f"`{path}` is not a file with an absolute path")
        if (found := others_write(path, ours.site)) is not None:
            return found
    return closed("only you and root can write them")


def check_outside(_seen: object) -> CheckResult:
    """Report what no setting closes."""
    return CheckResult(Lock.OUTSIDE, "no setting changes it")


SHARED: Mapping[str, Callable[[InstalledHooks], CheckResult]] = {
    "hooks": _check_hooks,
    "answer": _check_answer,
    "fail-open": _check_fail_open,
    "time-out": _check_time_out,
    "writable": _check_writable,
}


def judge(
    ours: InstalledHooks, checks: Mapping[str, Callable[[Seen], CheckResult | None]], seen: Seen, file: Path = FILE
) -> tuple[Trap, ...]:
    """Check every bypass of a host, in the order of the table: with the host's own check, else with the shared one.

    A check that fails or does not exist leaves its bypass open. A check that does not apply, as in a mode that is off,
    is left out.
    """
    found: list[Trap] = []
    for row in read_table(file, 3):
        if row.section != ours.host:
            continue
        name, what, fix = row.cells
        if not (name and what and fix) or name in {trap.id for trap in found}:
            raise DataError(f"{row.where}: `{name}` occurs twice or has no text", "one line for a trap, with its fix")
        checked: CheckResult | None = opened("this version does not check it")
        try:
            if name in checks:
                checked = checks[name](seen)
            elif name in SHARED:
                checked = SHARED[name](ours)
        except RemitError as error:
            checked = opened(error.message)
        except OSError as error:
            checked = opened(f"cannot be checked: {error}")
        if checked is not None:
            found.append(Trap(name, what, *checked, "" if checked.lock is Lock.CLOSED else fix))
    return tuple(found)


def others_write(path: Path, site: Site) -> CheckResult | None:
    """Return which others can write a file of ours; None if no one can."""
    whole = Path(os.path.realpath(path))
    for place in (whole, *whole.parents):
        state = place.stat()
        if state.st_mode & _OTHERS_WRITE and not state.st_mode & stat.S_ISVTX:
            return opened(f"others can write `{place}`")
    if whole.is_relative_to(os.path.realpath(site.project)):
        return opened(f"`{path}` is in the folder in which the agent works")
    return None


def client_seconds(command: str, host: str) -> float | None:
    """Return the seconds after which our client denies; None if the command does not say."""
    words = shlex.split(command)
    try:
        return float(words[words.index(host) + 2])
    except (ValueError, IndexError):
        return None


def programs(command: str, host: str) -> tuple[Path, ...]:
    """Return the interpreter and the client: the words before the host's name."""
    words = shlex.split(command)
    before = words[: words.index(host)] if host in words else words
    return tuple(Path(word) for word in before if not word.startswith("-"))
