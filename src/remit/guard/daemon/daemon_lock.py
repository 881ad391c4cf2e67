"""The lock and the socket of a state folder, held by its only daemon; and how other commands ask and end that daemon."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from remit.core.errors import GuardError
from remit.guard.daemon.protocol import ANSWERED, OWN, HookAnswer, Question, peer_user, question_line, read_answer
from remit.guard.state_folder import StateFolder, private_file, private_socket

_LAST = 5.0  # seconds for a killed daemon and its workers to disappear
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock of a state folder. The kernel releases the lock of a killed daemon.

    An older daemon that is ending gets a moment for its last answers.
    """
    try:
        handle = os.open(path, _OPEN, 0o600)
    except OSError as error:
        raise GuardError(f"`{path}` cannot be opened: {error.strerror}", "look at the state folder") from None
    try:
        private_file(path)
        _wait(handle, path, seconds)
        os.ftruncate(handle, 0)
        os.write(handle, b"%d\n" % os.getpid())  # for `remit guard stop`, and for people who look
        yield
    finally:
        os.close(handle)


def kill_daemon(path: Path) -> int | None:
    """Kill the daemon that holds the lock, with its workers; return its process id, None if none runs."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        private_file(path)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # the holder has written its process id there
        number = int(os.read(handle, 32))
        os.kill(number, signal.SIGKILL)
        _wait(handle, path, _LAST)
        return number
    finally:
        os.close(handle)
    return None


def _wait(handle: int, path: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise GuardError(f"another daemon holds `{path}`", "remit guard stop") from None
            time.sleep(0.02)
        else:
            return


def listen(path: Path, backlog: int) -> socket.socket:
    """Listen at a socket. Only the holder of the lock may call this: an existing socket belongs to a dead daemon."""
    with contextlib.suppress(FileNotFoundError):
        path.lstat()
        private_socket(path)
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old = os.umask(0o177)
    try:
        listener.bind(str(path))
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise GuardError(
            f"the daemon cannot listen at `{path}`: {error.strerror}", "look at the state folder"
        ) from None
    finally:
        os.umask(old)
    return listener


_SECONDS = 10.0


def ask_daemon(places: StateFolder, event: str) -> dict[str, Any] | None:
    """Return the daemon's answer; None if no daemon runs."""
    if not os.path.lexists(places.socket):
        return None
    private_socket(places.socket)
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(_SECONDS)
        try:
            link.connect(str(places.socket))
            if peer_user(link) != os.geteuid():
                raise GuardError("another user listens at the socket", "look who put it there")
            # no version: any daemon will do
            link.sendall(question_line(Question(OWN, event, 2, "")) + b"{}")
            found = read_answer(b"".join(iter(lambda: link.recv(1 << 16), b"")))
        except (ConnectionRefusedError, FileNotFoundError):
            return None
        except OSError as error:
            raise GuardError(
                f"the daemon does not answer: {error}",
                "`remit guard stop` ends it, and the next call of an agent starts another",
            ) from None
    if not isinstance(found, HookAnswer) or found.exit != ANSWERED:
        said = found.stderr.decode("utf-8", "replace").strip() if isinstance(found, HookAnswer) else "another version"
        raise GuardError(f"the daemon refuses: {said}", "see `remit guard status`")
    value: dict[str, Any] = json.loads(found.stdout)
    return value
