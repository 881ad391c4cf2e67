"""The host environment of escape attempts: a secret, servers, sockets, a process, a setuid program, made for one
attempt.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import DATA
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.policy.permit import Permit

VARIABLE = "REMIT_PROBE_TOKEN"
_ANOTHER = 1  # a user that is neither root nor the caller
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-riscv64-lp64d.so.1")


class World(NamedTuple):
    """Where attempts start, and their targets."""

    workspace: Path
    home: Path
    secret: str


@contextmanager
def world(permit: Permit) -> Iterator[World]:
    """Create it, and remove it afterwards."""
    secret = f"HOST-SECRET-{secrets.token_hex(8)}"
    with ExitStack() as kept:
        top = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="remit-probe-", ignore_cleanup_errors=True)))
        top = top.resolve()
        workspace, home, outside = top / "workspace", top / "home", top / "outside"
        for folder in (workspace, workspace / "out", home, outside):
            folder.mkdir(mode=0o755)
        (top / "secret.txt").write_text(secret)
        (home / "letter.txt").write_text(secret)
        (workspace / ".env").write_text(f"TOKEN={secret}")
        (workspace / "removable.txt").write_text("x")
        (workspace / "way-out").symlink_to(top / "secret.txt")
        _setuid_program(permit, workspace / "as-another")
        _left_open(permit, kept, top)
        facts = _servers(permit, kept, top) | {
            "secret": str(top / "secret.txt"),
            "home": str(home),
            "outside": str(outside),
            "variable": VARIABLE,
            "victim": _victim(permit, kept, secret),
            "loader": next((path for path in _LOADERS if Path(path).exists()), ""),
            "calls": _numbers(),
        }
        (workspace / "probe.json").write_text(json.dumps(facts))
        yield World(workspace, home, secret)


def _setuid_program(permit: Permit, path: Path) -> None:  # noqa: ARG001  (who acts holds one)
    shutil.copy("/usr/bin/id", path)
    if os.getuid() == 0:
        os.chown(path, _ANOTHER, _ANOTHER)
    path.chmod(0o4755)


def _left_open(permit: Permit, kept: ExitStack, top: Path) -> None:  # noqa: ARG001
    """Open descriptors of a secret and a folder, as a careless parent process leaves them."""
    for path in (top / "secret.txt", top):
        descriptor = os.open(path, os.O_RDONLY)
        kept.callback(os.close, descriptor)
        os.set_inheritable(descriptor, True)


def _victim(permit: Permit, kept: ExitStack, secret: str) -> int:  # noqa: ARG001
    process = subprocess.Popen(
        ["/usr/bin/sleep", "300"], env={"HOST": secret}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )

    def end() -> None:
        process.kill()
        process.wait()

    kept.callback(end)
    return process.pid


def _servers(permit: Permit, kept: ExitStack, top: Path) -> dict[str, object]:  # noqa: ARG001
    """Start servers of the host: TCP, UDP, and Unix sockets with and without a path."""
    four = kept.enter_context(socket.create_server(("127.0.0.1", 0)))
    asked = kept.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    asked.bind(("127.0.0.1", 0))
    threading.Thread(target=_answering, args=(asked,), daemon=True).start()
    abstract = f"remit-probe-{secrets.token_hex(8)}"
    for name in (f"\0{abstract}", str(top / "server.sock"), str(top / "workspace" / "server.sock")):
        server = kept.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(name)
        server.listen()
    return {
        "tcp": four.getsockname()[1],
        "tcp6": _six(kept),
        "udp": asked.getsockname()[1],
        "abstract": abstract,
        "socket": str(top / "server.sock"),
    }


def _six(kept: ExitStack) -> int:
    with suppress(OSError):
        server = kept.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6))
        return int(server.getsockname()[1])
    return 1  # no IPv6 here: the attempt shows nothing


def _answering(server: socket.socket) -> None:
    with suppress(OSError):
        while True:
            question, place = server.recvfrom(2000)
            server.sendto(question, place)


def _numbers() -> dict[str, int]:
    """Return system call numbers on this machine, from the tables of refused calls."""
    column = 1 + ("x86_64", "aarch64", "riscv64").index(os.uname().machine)
    rows = [*read_table(DATA / "refused_calls.table", 6), *read_table(DATA / "refused_arguments.table", 7)]
    return {
        row.cells[0]: int(row.cells[column])
        for row in rows
        if row.section in ("calls", "calls in a capsule", "arguments") and row.cells[column]
    }
