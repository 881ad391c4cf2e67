"""The system calls that the executor's unit allows, as systemd reads it; and the same as a profile for containers."""

import json
import subprocess
from functools import cache
from pathlib import Path

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
PROFILE = DEPLOY / "executor.seccomp.json"
VERSION = "systemd 252"  # whose groups of calls the profile has
_KINDS = [("X86_64", "X86"), ("AARCH64", "ARM")]


@cache
def systemd_version():
    try:
        return subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def members(name):
    """The calls of a group."""
    if not name.startswith("@"):
        return {name}
    said = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True
    ).stdout
    words = [line.strip() for line in said.splitlines()[1:]]
    return set().union(*(members(word) for word in words if word and not word.startswith("#")))


def allowed():
    """What the unit allows with what the capsule needs besides."""
    units = DEPLOY / "systemd/remit@.service", DEPLOY / "systemd/remit@executor.service.d/capsule.conf"
    lines = [line for unit in units for line in unit.read_text("utf-8").splitlines()]
    named = [line.partition("=")[2].split() for line in lines if line.startswith("SystemCallFilter=")]
    return sorted(set().union(*(members(word) for words in named for word in words)))


def profile():
    """As container engines read it."""
    kinds = [{"architecture": f"SCMP_ARCH_{one}", "subArchitectures": [f"SCMP_ARCH_{other}"]} for one, other in _KINDS]
    rule = {"names": allowed(), "action": "SCMP_ACT_ALLOW"}
    told = {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1, "archMap": kinds, "syscalls": [rule]}
    return json.dumps(told, indent=1) + "\n"
