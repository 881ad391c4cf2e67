"""Programs on the device.

A command line is split into words and run without a shell: pipes, variables and patterns have no effect.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping

SECONDS = 50.0
MOST = 100_000  # characters
_WRONG, _ABSENT, _LATE = 2, 127, 124


def run(arguments: str) -> tuple[int, str]:
    """Run a program and wait for it. At the time limit its whole process group is killed."""
    try:
        words = shlex.split(arguments)
    except ValueError as error:
        return _WRONG, f"not a command line: {error}"
    if not words:
        return _WRONG, "no program is named"
    return started(words)


def started(words: list[str]) -> tuple[int, str]:
    """Start a program; return its status and output."""
    try:
        process = subprocess.Popen(  # noqa: S603  approved by a person
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        return _ABSENT, f"`{words[0]}` cannot be started: {(error.strerror or 'error').lower()}"
    try:
        output, _ = process.communicate(timeout=SECONDS)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = _LATE
    return max(-255, min(status, 255)), output.decode("utf-8", "replace")[:MOST]


def which(arguments: str) -> tuple[int, str]:
    """Return the path of a program."""
    found = shutil.which(arguments.strip())
    return (0, found) if found else (1, "")


def notify(arguments: str) -> tuple[int, str]:
    """Show a desktop notification."""
    return started(["notify-send", "--", "Remit", arguments[:1000]])


COMMANDS: Mapping[str, Callable[[str], tuple[int, str]]] = {
    "system.run": run, "system.which": which, "system.notify": notify,
}  # fmt: skip
