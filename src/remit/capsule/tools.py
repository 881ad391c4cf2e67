"""The programs that confine and observe. Without them nothing runs: there is no weaker mode."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import SEARCHED
from remit.core.errors import CapsuleError

if TYPE_CHECKING:
    from remit.policy.permit import Permit

_SECONDS = 20


class Tool(NamedTuple):
    """A system program and its version."""

    path: str
    identity: str


class Tools(NamedTuple):
    """All of them."""

    bwrap: Tool
    strace: Tool
    prlimit: Tool


def find_tools(permit: Permit, searched: tuple[str, ...] = SEARCHED) -> Tools:  # noqa: ARG001  (who acts holds one)
    """Find the programs in system folders, ignoring the caller's PATH."""
    return Tools(
        _tool("bwrap", "bubblewrap", searched),
        _tool("strace", "strace", searched),
        _tool("prlimit", "util-linux", searched),
    )


def located(name: str, package: str, searched: tuple[str, ...] = SEARCHED) -> str:
    """Return the path of a program; an error with its remedy if it is not installed."""
    path = shutil.which(name, path=":".join(searched))
    if path is None:
        raise CapsuleError(
            f"`{name}` is not installed, and nothing is run without it", f"run: sudo apt-get install -y {package}"
        )
    return path


def _tool(name: str, package: str, searched: tuple[str, ...]) -> Tool:
    path = located(name, package, searched)
    try:
        done = subprocess.run(  # noqa: S603  (a program of the system, asked for its version)
            [path, "--version"], capture_output=True, timeout=_SECONDS, check=True, env={"LC_ALL": "C"}
        )
    except (OSError, subprocess.SubprocessError):
        raise CapsuleError(f"`{path}` does not say its version", f"install {package} anew") from None
    first = done.stdout.decode("utf-8", "replace").partition("\n")[0]
    return Tool(path, " ".join(first.replace(" -- version", "").split()))


def identities(tools: Tools) -> tuple[tuple[str, str], ...]:
    """Return the versions of the tools, by name."""
    return tuple(sorted((name, tool.identity) for name, tool in tools._asdict().items()))
