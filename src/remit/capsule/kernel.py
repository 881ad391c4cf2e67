"""The kernel's support for confinement, queried at each start: nothing is cached or assumed."""

from __future__ import annotations

import ctypes
import errno
import platform
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import CapsuleError

if TYPE_CHECKING:
    from remit.policy.permit import Permit

_CREATE_RULESET, _VERSION = 444, 1
_MISSING = {errno.ENOSYS: "this kernel has no Landlock", errno.EOPNOTSUPP: "Landlock is switched off on this machine"}
_LANDLOCK = "use Linux 5.13 or later, and name `landlock` in the boot option `lsm=`"
_USERNS = "allow user namespaces (kernel.unprivileged_userns_clone, apparmor_restrict_unprivileged_userns), or use a machine that does"


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
        raise CapsuleError("user namespaces are forbidden on this machine, so nothing was run", _USERNS)
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
