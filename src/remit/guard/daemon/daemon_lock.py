"""The one lock and the one socket of a state folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core.errors import GuardError
from remit.guard.state_folder import private_file, private_socket

if TYPE_CHECKING:
    from pathlib import Path

_LAST = 5.0  # seconds in which a killed daemon and its workers are gone
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Be the only daemon of a state folder. The kernel frees the lock of one that was killed.

    An older one that ends gets a moment for its last answers.
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
    """Kill the daemon that holds the lock, whether or not it answers; its number, or None if none runs. Its workers end with it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        private_file(path)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # who holds it has written its number there
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
    """A socket at a path. Only the holder of the lock may call this: a socket that is there belongs to a dead daemon."""
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
