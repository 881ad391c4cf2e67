"""What this machine has to confine with: the kernel, queried at each start, and programs of the system.

Nothing is cached or assumed, and without the programs nothing runs: there is no weaker mode.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import SEARCHED
from remit.core.errors import CapsuleError

if TYPE_CHECKING:
    from remit.policy.permit import Permit


_CREATE_RULESET, _VERSION = 444, 1
_MISSING = {errno.ENOSYS: "this kernel has no Landlock", errno.EOPNOTSUPP: "Landlock is switched off on this machine"}
_LANDLOCK = "use Linux 5.13 or later, and name `landlock` in the boot option `lsm=`"
USERNS = "allow user namespaces (kernel.unprivileged_userns_clone, apparmor_restrict_unprivileged_userns), or use a machine that does"


class Kernel(NamedTuple):
    """What the kernel supports. An ABI of 0 means no Landlock."""

    system: str
    machine: str
    landlock: int
    no_landlock: str = ""
    namespaces: int | None = None  # how many user namespaces may be made; None if the kernel does not say
    filters: frozenset[str] = frozenset({"errno", "kill_process"})  # what a filter of calls can do


def look(permit: Permit) -> Kernel:  # noqa: ARG001  (who acts holds one)
    """Query the kernel."""
    abi, why = _landlock()
    most = _said("/proc/sys/user/max_user_namespaces")
    filters = frozenset(_said("/proc/sys/kernel/seccomp/actions_avail").split())
    return Kernel(platform.system(), platform.machine(), abi, why, int(most) if most.isdigit() else None, filters)


def machine_problem() -> str:
    """Return why namespaces and call filters are unavailable on this machine, as far as the kernel reports; else empty."""
    if platform.system() != "Linux":
        return f"they need Linux, and this is {platform.system()}"
    if _said("/proc/sys/user/max_user_namespaces") == "0":
        return "user namespaces are forbidden on this machine"
    if not {"errno", "kill_process"} <= set(_said("/proc/sys/kernel/seccomp/actions_avail").split()):
        return "this kernel has no filters of calls (seccomp)"
    return ""


def require(kernel: Kernel, landlock: int) -> None:
    """Raise an error if the kernel supports less than is required; bubblewrap itself reports the rest."""
    if kernel.system != "Linux":
        raise CapsuleError(f"capsules are run on Linux, not on {kernel.system}", "use a Linux machine or a virtual one")
    if kernel.namespaces == 0:
        raise CapsuleError("user namespaces are forbidden on this machine, so nothing was run", USERNS)
    if not kernel.filters >= {"errno", "kill_process"}:
        raise CapsuleError(
            "this kernel has no filters of calls (seccomp), so nothing was run", "use a kernel with them"
        )
    if kernel.landlock < landlock:
        have = f"Landlock has ABI {kernel.landlock} here" if kernel.landlock else kernel.no_landlock
        raise CapsuleError(f"{have}, and ABI {landlock} is asked for, so nothing was run", _LANDLOCK)


def _said(path: str) -> str:
    try:
        return Path(path).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _landlock() -> tuple[int, str]:
    libc = ctypes.CDLL(None, use_errno=True)
    found = int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))
    if found > 0:
        return found, ""
    return 0, _MISSING.get(ctypes.get_errno(), "Landlock cannot be asked for here")


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
