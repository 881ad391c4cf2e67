"""Escape attempts against the capsule: each is made outside, where it must succeed, and inside, where it must not.

The attempts are data (`data/probes`), one small program each. For each the host gets a secret, servers, sockets, a process and a
setuid program. An attempt that fails outside shows nothing about the capsule, and is reported as such; an attempt that
breaks in an unforeseen way inside is no proof either.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.capsule.confinement import DATA, Limits
from remit.capsule.contract import VERSION
from remit.capsule.launch import Streams, run_in_capsule
from remit.capsule.prepare import RunRequest, prepare
from remit.core.errors import CapsuleError
from remit.core.scope import DEEP, WORKSPACE, PathScope
from remit.core.shape import Items, Record, Text, Whole, Word
from remit.core.table import read_table
from remit.manifest.model import Decision, Manifest, Metadata, Permission

if TYPE_CHECKING:
    from remit.policy.permit import Permit


VARIABLE = "REMIT_PROBE_TOKEN"
_ANOTHER = 1  # a user that is neither root nor the caller
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-riscv64-lp64d.so.1")


class ProbeTargets(NamedTuple):
    """Where attempts start, and their targets."""

    workspace: Path
    home: Path
    secret: str


@contextmanager
def world(permit: Permit) -> Iterator[ProbeTargets]:
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
        yield ProbeTargets(workspace, home, secret)


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


COMMAND = ("python3", "probe.py")
_SECONDS = 30
_FOLDER = DATA / "probes"
_BODY = "    BODY\n"


class ProbeOutcome(StrEnum):
    """The result of an attempt."""

    HELD = "held"
    GOT_OUT = "got out"
    NOT_SHOWN = "not shown"  # it does not succeed outside either
    UNCLEAR = "unclear"  # the attempt itself broke inside


class Probe(NamedTuple):
    """An attempt."""

    name: str
    what: str
    text: str


class Probed(NamedTuple):
    """An attempt, with its output outside and inside."""

    name: str
    what: str
    standing: ProbeOutcome
    outside: str
    inside: str


SHAPE = Record(
    {
        "version": Whole(VERSION, VERSION),
        "probes": Items(
            Record(
                {
                    "name": Text(100),
                    "what": Text(300),
                    "standing": Word(tuple(map(str, ProbeOutcome))),
                    "outside": Text(1000, empty=True),
                    "inside": Text(1000, empty=True),
                }
            ),
            1_000,
        ),
    }
)


@cache
def probes() -> tuple[Probe, ...]:
    """Return all attempts, by name."""
    frame = (_FOLDER / "frame.py.txt").read_text("utf-8")
    found: list[Probe] = []
    for path in sorted(_FOLDER.glob("*.probe")):
        first, _, body = path.read_text("utf-8").partition("\n")
        lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
        found.append(Probe(path.stem, first.removeprefix("# "), frame.replace(_BODY, lines)))
    return tuple(found)


def probe_all(
    permit: Permit, chosen: Sequence[str], helper: bytes, done: Callable[[Probed], None]
) -> tuple[Probed, ...]:
    """Make the attempts with these names, or all. The permit is for `COMMAND`."""
    known = {probe.name: probe for probe in probes()}
    wrong = next((name for name in chosen if name not in known), None)
    if wrong is not None:
        raise CapsuleError(f"there is no attempt `{wrong}`", f"the attempts are {', '.join(known)}")
    found: list[Probed] = []
    for name in chosen or known:
        with world(permit) as place:
            probed = _probed(permit, known[name], place, helper)
        found.append(probed)
        done(probed)
    return tuple(found)


def probed_value(found: Sequence[Probed]) -> dict[str, Any]:
    """Return the published form."""
    return {"version": VERSION, "probes": [item._asdict() | {"standing": str(item.standing)} for item in found]}


def standing_of(outside: str, inside: str) -> ProbeOutcome:
    """Return what two outputs show."""
    if inside.startswith("GOT"):
        return ProbeOutcome.GOT_OUT
    if not inside.startswith("refused"):
        return ProbeOutcome.UNCLEAR
    return ProbeOutcome.HELD if outside.startswith("GOT") else ProbeOutcome.NOT_SHOWN


def _probed(permit: Permit, probe: Probe, place: ProbeTargets, helper: bytes) -> Probed:
    (place.workspace / "probe.py").write_text(probe.text, "utf-8")
    inside = _inside(permit, place, helper)  # first: what succeeds outside changes things
    outside = _outside(permit, place)
    return Probed(probe.name, probe.what, standing_of(outside, inside), outside, inside)


def _inside(permit: Permit, place: ProbeTargets, helper: bytes) -> str:
    manifest = Manifest("the mediation contract", tuple(_entries()), Metadata("probe"))
    asked = RunRequest(
        manifest=manifest,
        command=COMMAND,
        workspace=str(place.workspace),
        home=str(place.home),
        caller={**os.environ, VARIABLE: place.secret},
        limits=Limits(seconds=_SECONDS),
    )
    with tempfile.TemporaryFile() as output, open(os.devnull, "rb") as nothing:
        streams = Streams(nothing.fileno(), output.fileno(), output.fileno())
        run_in_capsule(permit, prepare(permit, asked), helper, streams)
        output.seek(0)
        return _said(output.read(4096))


def _outside(permit: Permit, place: ProbeTargets) -> str:  # noqa: ARG001  (who acts holds one)
    """Run the attempt without a capsule, with open descriptors as careless callers leave them."""
    try:
        done = subprocess.run(  # noqa: S603  (our own attempts, where they are meant to succeed)
            COMMAND,
            cwd=place.workspace,
            env={"PATH": "/usr/bin:/bin", VARIABLE: place.secret},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            close_fds=False,
            timeout=_SECONDS,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return "it takes too long"
    return _said(done.stdout[:4096])


def _said(output: bytes) -> str:
    return " ".join(output.decode("utf-8", "replace").split())[:300]


def _entries() -> Iterator[Permission]:
    whole, out = PathScope(WORKSPACE, (DEEP,)), PathScope(WORKSPACE, ("out", DEEP))
    yield Permission("file.read", (whole,), Decision.ALLOW)
    yield Permission("file.write", (out,), Decision.ALLOW)
    yield Permission("file.delete", (out,), Decision.ALLOW)
    yield Permission("source.execute", (PathScope(WORKSPACE, ("as-another",)),), Decision.ALLOW)
