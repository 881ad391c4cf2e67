"""Process that runs a client in its capsule and ends with the gateway: `python -m
remit.gateway.inbound.backends.capsule_run ORDER`.

The order is a file written by the gateway; standard streams are the client's. The exit status is the client's, or 125
with a reason on standard error if nothing ran.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from remit.capsule.confinement import Limits
from remit.capsule.helper.build import helper
from remit.capsule.launch import Ran, run_in_capsule
from remit.capsule.prepare import RunRequest, prepare
from remit.capsule.run import Ending
from remit.checker.cache import folder as cache_folder
from remit.core.errors import RemitError
from remit.manifest import read_manifest
from remit.policy.command_permits import permit_for

NOT_RUN = 125
SOCKET = "gateway"  # the name of the gateway's socket in the capsule
_PARENT_ENDS = 1  # PR_SET_PDEATHSIG
_LIMITS = Limits(seconds=0, memory=8 << 30, disk=1 << 30, processes=512, files=4096)


def main(path: str) -> int:
    """Run the order in a file."""
    ctypes.CDLL(None).prctl(_PARENT_ENDS, signal.SIGKILL)
    if os.getppid() != int(os.environ.get("REMIT_GATEWAY", "0")):
        return NOT_RUN  # the gateway ended before prctl took effect
    try:
        ran = _run(json.loads(Path(path).read_text("utf-8")))
    except RemitError as error:
        sys.stderr.write(f"{error.message} ({error.remedy})\n")
        return NOT_RUN
    for mask in ran.planted:
        sys.stderr.write(f"left `{mask.path}`: {mask.what}\n")
    return ran.code if ran.how is Ending.EXITED and ran.code is not None else NOT_RUN


def _run(order: dict[str, Any]) -> Ran:
    words = tuple(order["command"])
    permit = permit_for(order["agent"], words)
    folder = cache_folder() / "capsule"
    asked = RunRequest(
        manifest=read_manifest(Path(order["manifest"])),
        command=words,
        workspace=order["workspace"],
        home="",
        confirmed=True,  # the operator's settings count as confirmation
        sockets=((SOCKET, order["socket"]),),
        caller=order["environment"],
        kept_apart=(str(folder),),
        limits=_LIMITS,
    )
    return run_in_capsule(permit, prepare(permit, asked), helper(permit, folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
