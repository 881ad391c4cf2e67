"""A live probe: the very command that stands in the settings, run as the host runs it, with an event that does nothing."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.install.form import HOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Answer(NamedTuple):
    """What the command did."""

    status: int | None  # None: it was late
    stdout: str
    stderr: str
    milliseconds: int

    def value(self) -> dict[str, Any] | None:
        """The object that it printed; None if it printed something else."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


def ask(command: str, text: str, cwd: Path, environ: Mapping[str, str] = os.environ) -> Answer:
    """Run a command in a shell with this standard input, for as long as a host would wait."""
    begin = time.monotonic()
    try:
        done = subprocess.run(  # noqa: S602  a command of the settings, as the host runs it
            command, shell=True, input=text.encode(), cwd=cwd, env=dict(environ), capture_output=True,
            timeout=HOST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Answer(None, "", "", _since(begin))
    return Answer(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), _since(begin)
    )


def _since(begin: float) -> int:
    return round((time.monotonic() - begin) * 1000)
