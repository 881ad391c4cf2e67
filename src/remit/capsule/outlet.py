"""The outlet of one capsule: a socket that is made inside and passed out, and the egress proxy that serves it.

The proxy is a separate process. It starts at the first connection, which waits meanwhile, so that a command without
connections does not pay for it.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from remit.capsule.egress.record import Egress, read_lines

if TYPE_CHECKING:
    from remit.capsule.contract import Contract
    from remit.policy.permit import Permit

_PROXY = Path(__file__).resolve().with_name("egress") / "__main__.py"
_GRACE = 10.0


class Outlet:
    """Receives the listening socket through `outer`; the helper in the capsule holds `inner` until the command starts."""

    def __init__(self, contract: Contract) -> None:
        self.inner, self.outer = socket.socketpair()
        self.listener: socket.socket | None = None
        self.rules = [list(rule) for rule in contract.egress]
        self.process: subprocess.Popen[bytes] | None = None

    def receive(self) -> socket.socket | None:
        """Take the listening socket; None if the helper ended without one."""
        _, descriptors, _, _ = socket.recv_fds(self.outer, 1, 1)
        if descriptors:
            self.listener = socket.socket(fileno=descriptors[0])
        return self.listener

    def finish(self) -> Egress:
        """Stop the proxy, and read its record."""
        self.close()
        if self.process is None:
            return Egress()  # there was no connection
        try:
            lines, _ = self.process.communicate(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            lines, _ = self.process.communicate()
        return read_lines(lines.splitlines())

    def abandon(self) -> None:
        """Stop the proxy without reading a record."""
        self.close()
        if self.process is not None:
            self.process.kill()
            self.process.communicate()

    def close(self) -> None:
        """Close our own ends; the proxy keeps its copy."""
        for one in (self.inner, self.outer, self.listener):
            if one is not None:
                one.close()


def start_proxy(permit: Permit, outlet: Outlet) -> None:  # noqa: ARG001  (who acts holds one)
    """Start the proxy when a connection waits."""
    assert outlet.listener is not None
    outlet.process = proxy_process(outlet.listener, outlet.rules, subprocess.PIPE)


def proxy_process(
    listener: socket.socket,
    rules: Sequence[Sequence[object]],
    record: int,
    refusals: int | None = None,
    whose: str = "",
) -> subprocess.Popen[bytes]:
    """Start the proxy on a socket. It records connections on `record`, and writes refusals to `refusals`."""
    telling = [] if refusals is None else [str(refusals), whose]
    process = subprocess.Popen(  # noqa: S603  (our own program, by its path)
        [sys.executable, "-I", "-S", str(_PROXY), str(listener.fileno()), *telling],
        stdin=subprocess.PIPE,
        stdout=record,
        stderr=subprocess.DEVNULL,
        env={"LC_ALL": "C"},
        cwd="/",
        pass_fds=(listener.fileno(), *(() if refusals is None else (refusals,))),
        start_new_session=True,
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # the record shows that a proxy ended early
        process.stdin.write(json.dumps(rules).encode() + b"\n")
        process.stdin.flush()
    return process
