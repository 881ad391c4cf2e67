"""The launch of a command in a capsule: bubblewrap, the call filter, the helper, and the egress proxy if hosts are
granted; and the audit record of the run.

(1) The permit names the command. (2) Missing folders that are granted for writing are created. (3) An outlet is made, if there
is any host that may be reached. (4) bubblewrap makes the namespaces and mounts and applies the filter of
calls; the helper in it sets limits, passes the socket out, applies Landlock, closes all descriptors and becomes the command.
(5) Remit waits for the end; the egress proxy starts at the first connection. (6) Its record is read. (7) New files that are sensitive or denied are searched for.
"""

from __future__ import annotations

import os
import platform
import select
import shlex
import subprocess
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.capsule.bubblewrap import HELPER, Descriptors, mounted, scratch_places, startable
from remit.capsule.contract import VERSION, Contract, Hiding
from remit.capsule.contract_places import make_missing
from remit.capsule.egress.record import SHAPE as CONNECTIONS
from remit.capsule.egress.record import Egress
from remit.capsule.kernel import USERNS, located
from remit.capsule.landlock import orders
from remit.capsule.masks import SPECIAL, kept_back
from remit.capsule.outlet import Outlet, start_proxy
from remit.capsule.run import Ending, said
from remit.capsule.seccomp import seccomp_filter
from remit.core.errors import CapsuleError
from remit.core.shape import Flag, Items, Nothing, OneOf, Record, Text, Whole, Word
from remit.policy.permit import Permit

if TYPE_CHECKING:
    from remit.capsule.contract import Mask
    from remit.capsule.prepare import Prepared


_PIECE = 1 << 16
_GRACE = 10.0


class Streams(NamedTuple):
    """Descriptors that the command gets as its standard streams."""

    stdin: int = 0
    stdout: int = 1
    stderr: int = 2


class Ran(NamedTuple):
    """How a command ended, its connections, and files that it created without a grant."""

    how: Ending
    code: int | None
    egress: Egress
    planted: tuple[Mask, ...]


def run_in_capsule(permit: Permit, prepared: Prepared, helper: bytes, streams: Streams = Streams()) -> Ran:  # noqa: B008
    """Run the command of a permit under its contract. `helper` is what `helper.build` compiled."""
    contract = prepared.contract
    if type(permit) is not Permit:  # (1)
        raise CapsuleError("nothing is started without a permit", "ask the projector for one")
    if shlex.split(permit.request.command) != list(contract.command):
        raise CapsuleError("the permit is for another command", "ask for a permit for this one")
    bwrap = located("bwrap", "bubblewrap")
    contract = contract._replace(places=make_missing(permit, contract.places))  # (2)
    outlet = Outlet(contract) if contract.egress else None  # (3)
    try:
        how, code = _confined(permit, contract, bwrap, helper, streams, outlet)
    except BaseException:
        if outlet:
            outlet.abandon()
        raise
    egress = outlet.finish() if outlet else Egress()  # (6)
    return Ran(how, code, egress, _planted(permit, prepared, contract))


def _confined(
    permit: Permit, contract: Contract, bwrap: str, helper: bytes, streams: Streams, outlet: Outlet | None
) -> tuple[Ending, int | None]:
    """Start bubblewrap and wait for its end (4)."""
    opened: list[int] = []

    def content(data: bytes) -> int:
        found = os.memfd_create("remit") if data else os.open(os.devnull, os.O_RDONLY)
        opened.append(found)
        written = 0
        while written < len(data):
            written += os.pwrite(found, data[written:], written)
        return found

    state, their_state = os.pipe()
    opened.append(their_state)
    try:
        channel = outlet.inner.fileno() if outlet else None
        told = content(orders(contract, scratch_places(contract), startable(contract), channel))
        calls = content(seccomp_filter(platform.machine(), capsule=True))
        options = mounted(contract, helper, Descriptors(their_state, calls, content))
        words = os.fsencode("".join(f"{word}\0" for word in options))
        command = [bwrap, "--args", str(content(words)), HELPER, str(told), *contract.command]
        passed = (*opened, channel) if channel is not None else tuple(opened)
        process = _bubblewrapped(permit, command, contract, streams, passed)
    except BaseException:
        os.close(state)
        raise
    finally:
        for descriptor in opened:
            os.close(descriptor)
    if outlet:
        outlet.inner.close()
    return _awaited(permit, process, state, contract, outlet)


def _bubblewrapped(
    permit: Permit,  # noqa: ARG001  (who acts holds one)
    command: Sequence[str],
    contract: Contract,
    streams: Streams,
    passed: tuple[int, ...],
) -> subprocess.Popen[bytes]:
    changed = os.getuid() == 0 and contract.user != 0  # root runs a command as the owner of the workspace
    group = os.stat(contract.workspace).st_gid if changed else None
    return subprocess.Popen(  # noqa: S603  (the one place that starts a command in a capsule)
        command,
        stdin=streams.stdin,
        stdout=streams.stdout,
        stderr=streams.stderr,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        pass_fds=passed,
        user=contract.user if changed else None,
        group=group,
        extra_groups=[] if changed else None,
        umask=0o022,
    )


def _awaited(
    permit: Permit, process: subprocess.Popen[bytes], state: int, contract: Contract, outlet: Outlet | None
) -> tuple[Ending, int | None]:
    """Wait for the command's end, the socket that it passes out, and the first connection (5)."""
    how = Ending.EXITED
    ended = os.pidfd_open(process.pid)
    try:
        deadline = time.monotonic() + contract.limits.seconds if contract.limits.seconds else None
        waiting = select.poll()
        waiting.register(ended, select.POLLIN)
        if outlet:
            waiting.register(outlet.outer, select.POLLIN)
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
            ready = {descriptor for descriptor, _ in waiting.poll(left)}
            if ended in ready:
                break
            if not ready:
                how = Ending.TIME
                break
            if outlet:
                _attended(permit, outlet, waiting, ready)
    finally:  # killing the first process of the namespace kills all others, so an interrupt leaves nothing behind
        os.close(ended)
        if how is Ending.TIME or process.poll() is None:
            process.kill()
        process.wait(_GRACE)
        with os.fdopen(state, "rb") as file:
            status = file.read(_PIECE)
    code = said(status, "exit-code")
    if how is Ending.EXITED and code is None:
        raise CapsuleError(
            f"the capsule cannot be made here (bubblewrap ended with status {process.returncode}), so nothing was run",
            USERNS,
        )
    return how, code if how is Ending.EXITED else None


def _attended(permit: Permit, outlet: Outlet, waiting: select.poll, ready: set[int]) -> None:
    """Take the socket when it is passed out, and start the proxy at the first connection."""
    if outlet.listener is not None and outlet.listener.fileno() in ready:
        waiting.unregister(outlet.listener)
        start_proxy(permit, outlet)
    elif outlet.outer.fileno() in ready:
        waiting.unregister(outlet.outer)
        listener = outlet.receive()
        if listener is not None:
            waiting.register(listener, select.POLLIN)


def _planted(permit: Permit, prepared: Prepared, contract: Contract) -> tuple[Mask, ...]:
    """Return sensitive or denied files that are new or were replaced (7)."""
    changed = tuple(place for place in contract.places if place.access.changes)
    if not changed:
        return ()
    after = kept_back(permit, changed, prepared.masker)
    return tuple(
        kept.mask
        for path, kept in sorted(after.items())
        if kept.mask.what != SPECIAL  # one that the command made leads to nobody
        and (path not in prepared.kept or not prepared.kept[path].is_still(kept))
    )


_PATH = Text(4096)
SHAPE = Record(
    {
        "version": Whole(VERSION, VERSION),
        "skill": Text(200, empty=True),
        "manifest": Text(100),
        "command": Items(Text(131_072, empty=True), 10_000),
        "ending": Text(100),
        "status": OneOf((Nothing(), Whole(0, 255))),
        "egress": CONNECTIONS,
        "problems": Items(Text(1000), 1_000),
        "planted": Items(
            Record({"path": _PATH, "how": Word(tuple(map(str, Hiding))), "folder": Flag(), "what": Text(1000)}), 20_000
        ),
    }
)


def ran_value(contract: Contract, ran: Ran) -> dict[str, Any]:
    """Return the record of a run."""
    return {
        "version": VERSION,
        "skill": contract.skill,
        "manifest": contract.manifest,
        "command": list(contract.command),
        "ending": str(ran.how),
        "status": ran.code,
        "egress": [item._asdict() for item in ran.egress.connections],
        "problems": list(ran.egress.problems),
        "planted": [mask._asdict() | {"how": str(mask.how)} for mask in ran.planted],
    }
