"""Processes of an installation: started in dependency order, supervised, stopped in the opposite order.

A process is identified by its number and start time, so that a reused number is not mistaken for it. A digest of its
keys and settings is kept too: a process that runs with other ones is restarted. One that has an earlier policy is
signalled to load the later one and continues.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.settings import read_settings
from remit.authority.wire.address import Certificates, Peers, asking_context, peer_fault, read_address
from remit.core.errors import AuthorityError, UsageError
from remit.core.telemetry_table import FILE
from remit.gateway.deployment.files import epoch_of
from remit.gateway.deployment.plan import ORDER, Party
from remit.guard.state_folder import telling_folders

if TYPE_CHECKING:
    from pathlib import Path


_PATIENCE = 30.0  # seconds for a process to answer, or to take a policy
_POLICY = ("tables", "layout")  # names of the policy files, which a party reloads while it runs
# what a party writes, and folders: no part of what it is started with
_WRITTEN = ("memory", "log", "state", "workspace", "skills")
_STOPPING = 10.0  # seconds from a request to stop to the end


class PartyProcess(NamedTuple):
    """A process of the folder."""

    role: str
    pid: int
    healthy: bool
    new: bool = False  # whether it was started just now
    renewed: bool = False  # whether it took a later policy just now


def known_parties(folder: Path) -> tuple[Party, ...]:
    """Return the parties of an existing installation; UsageError if there is none. Nothing is written."""
    kept = [folder / f"{role}.json" for role in ORDER]
    if not all(path.exists() for path in kept):
        raise UsageError(f"there is no installation in `{folder}`", "`remit up` makes one and starts it")
    return tuple(Party(path.stem, json.loads(path.read_bytes())) for path in kept if read_settings(path))


def start(folder: Path, parties: tuple[Party, ...]) -> Iterator[PartyProcess]:
    """Start the processes that do not run as configured, and have the others reload the policy.

    AuthorityError with the end of its log if one does not start or does not load the policy.
    """
    ordered = sorted(parties, key=lambda party: ORDER.index(party.role))
    for party in reversed(ordered):
        if _noted(folder, party.role)[2] != _given(folder, party):
            _stop(folder, party.role)
    for party in ordered:
        pid, new = _alive(folder, party.role), False
        if not pid or not _answers(folder, party, pid):  # one that is just ending does not count
            pid, new = _alive(folder, party.role), False
            if not pid:
                pid, new = _spawn(folder, party), True
            if not _answers(folder, party, pid):
                raise _failed(folder, party.role, "did not come up")
        wanted = _epoch_given(folder, party)
        renewed = not new and any(_epoch(at) < wanted for at in _asked(party))
        if renewed:
            os.kill(pid, signal.SIGHUP)
            if not _answers(folder, party, pid, wanted):
                raise _failed(folder, party.role, "did not take the policy")
        yield PartyProcess(party.role, pid, healthy=True, new=new, renewed=renewed)


def stop(folder: Path) -> Iterator[str]:
    """Stop all processes; yield the roles that were stopped."""
    for role in reversed(ORDER):
        if _stop(folder, role):
            yield role


def _stop(folder: Path, role: str) -> bool:
    """Stop one process; return whether it ran."""
    pid = _alive(folder, role)
    if pid:
        os.kill(pid, signal.SIGTERM)
        if not _gone(folder, role, _STOPPING):
            os.kill(pid, signal.SIGKILL)
            _gone(folder, role, _STOPPING)
    _pid_file(folder, role).unlink(missing_ok=True)
    return bool(pid)


def status(folder: Path, parties: tuple[Party, ...]) -> Iterator[PartyProcess]:
    """Yield which processes run, and whether they are healthy."""
    for party in parties:
        pid = _alive(folder, party.role)
        yield PartyProcess(party.role, pid, bool(pid) and all(health(at) for at in _asked(party)))


def health(address: str) -> bool:
    """Return whether the party at a Unix socket reports that it is ready."""
    return _said(address)[0] == http.client.OK


def _epoch(address: str) -> int:
    """Return the policy epoch that the party reports."""
    return int(_said(address)[1].get("epoch", 0))


def _epoch_given(folder: Path, party: Party) -> int:
    """Return the policy epoch of a party's files."""
    return max(epoch_of((folder / path).parent) for name, path in party.settings["files"].items() if name in _POLICY)


def _said(address: str) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and body of its health check; status 0 if there is no answer."""
    sock = _connected(address)
    if sock is None:
        return 0, {}
    link = http.client.HTTPConnection("party")
    link.sock = sock
    try:
        link.request("GET", "/health")
        answer = link.getresponse()
        status, body = answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, {}
    finally:
        link.close()
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    return status, told if isinstance(told, dict) else {}


def _connected(address: str) -> socket.socket | None:
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(2)
    try:
        sock.connect(read_address(address).path)
    except OSError:
        sock.close()
        return None
    return sock


def _asked(party: Party) -> list[str]:
    """Return the listening addresses of a party."""
    return list(party.sockets.values())


def _given(folder: Path, party: Party) -> str:
    """Return a digest of a party's settings, the files that it reads once, and the telemetry settings."""
    told = hashlib.sha256(json.dumps(party.settings, sort_keys=True).encode())
    for name, path in sorted(party.settings["files"].items()):
        file = folder / path
        if name not in (*_WRITTEN, *_POLICY) and file.is_file():
            told.update(hashlib.sha256(file.read_bytes()).digest())
    for file in (place / FILE for place in telling_folders(folder)):
        told.update(file.read_bytes() if file.is_file() else b"")
    return told.hexdigest()


def _spawn(folder: Path, party: Party) -> int:
    role = party.role
    with (folder / "log" / f"{role}.log").open("ab") as log:
        # `-P`, not `-I`: a party runs the code that this process runs
        command = [sys.executable, "-P", "-m", "remit.cli", "serve", str(folder / f"{role}.json")]
        child = subprocess.Popen(  # noqa: S603  our own program
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=folder
        )
        child.returncode = 0  # it outlives this process: no one waits for it here
    begun = _begun(child.pid)
    _pid_file(folder, role).write_text(json.dumps([child.pid, begun, _given(folder, party)]))
    return child.pid


def _answers(folder: Path, party: Party, pid: int, epoch: int = 0) -> bool:
    """Return whether a process reports health and at least this epoch before it ends or the time is up."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and _alive(folder, party.role) == pid:
        if all(health(at) and _epoch(at) >= epoch for at in _asked(party)):
            return True
        time.sleep(0.02)
    return False


def _failed(folder: Path, role: str, what: str) -> AuthorityError:
    path = folder / "log" / f"{role}.log"
    said = path.read_text("utf-8", "replace").strip().splitlines()
    return AuthorityError(f"{role} {what}{f': {said[-1]}' if said else ''}", f"its log is {path}")


def _gone(folder: Path, role: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not _alive(folder, role):
            return True
        time.sleep(0.02)
    return False


def _alive(folder: Path, role: str) -> int:
    """Return the number of the process if it runs, else 0."""
    pid, begun, _ = _noted(folder, role)
    return pid if begun and _begun(pid) == begun else 0


def _noted(folder: Path, role: str) -> tuple[int, str, str]:
    """Return the last started process: number, start time, and digest of its settings."""
    try:
        pid, begun, given = json.loads(_pid_file(folder, role).read_text())
        return int(pid), str(begun), str(given)
    except (OSError, ValueError, TypeError):
        return 0, "", ""


def _begun(pid: int) -> str:
    """Return the start time of a process in kernel ticks; empty if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123  not a place of ours
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    if fields[0] != "Z":
        return fields[19]
    _reap(pid)
    return ""


def _reap(pid: int) -> None:
    """Wait for a child process of this one that has ended; its other threads may take a moment longer."""
    with contextlib.suppress(ChildProcessError):
        until = time.monotonic() + _STOPPING
        while not os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() < until:
            time.sleep(0.002)


def _pid_file(folder: Path, role: str) -> Path:
    return folder / "run" / f"{role}.pid"


_SECONDS = 5
_UNAVAILABLE = 503


def works(tls: Path, role: str, place: str, epoch: int = 0) -> str:
    """Return what is wrong with a party; empty if it works.

    It must show a certificate of its name and have at least this epoch.
    """
    address = read_address(place)
    context = asking_context(Certificates(tls / "monitor.crt", tls / "monitor.key", tls / "authority.crt"))
    link = http.client.HTTPConnection(address.host, address.port)
    try:
        plain = socket.create_connection((address.host, address.port), timeout=_SECONDS)
        with context.wrap_socket(plain, server_hostname=address.host) as sock:
            if fault := peer_fault(Peers(names=frozenset({role})), sock, sock.getpeercert()):
                return fault
            link.sock = sock
            link.request("GET", "/health")
            answer = link.getresponse()
            status, has = answer.status, json.loads(answer.read()).get("epoch", 0)
    except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
        return f"does not answer ({str(error) or type(error).__name__})"
    finally:
        link.close()
    if status == _UNAVAILABLE:
        return "runs, but another party that it needs is away"
    if status != http.client.OK:
        return f"answers with HTTP {status}"
    return (
        "" if has >= epoch else f"has policy {has}, and the last one is {epoch}: copy its folder, and tell it (SIGHUP)"
    )
