"""Attempts by another user of the machine to use the parties' sockets directly.

First with the folders as created: the user cannot reach a socket. Then with folders and sockets opened to all: the
parties refuse by the user id from the kernel. Needs the right to become another user.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.games.installation import Office
    from remit.gateway.games.tally import Tally

_NOBODY = 65534
_CLOSED, _OPEN = "as another user, at each socket", "as another user, with folders and sockets thrown open"
_CONTROL = "control: its own user is answered at each socket"
_ASKED = b"GET /health HTTP/1.1\r\nhost: party\r\n\r\n"
_SECONDS = 5


def play_strangers(place: Office, tally: Tally) -> None:
    """Play both; without root nothing is counted."""
    if os.getuid() != 0:
        tally.add(_CLOSED, won=False, note="not here: only root can become another user")
        return
    run = place.folder / "run"
    sockets = sorted(run.glob("*.sock"))
    for path in sockets:
        tally.add(_CLOSED, won=_heard(path, _NOBODY))
        tally.add(_CONTROL, won=not _heard(path, os.getuid()))
    folders = (place.folder.parent, place.folder, run)
    for folder in folders:
        folder.chmod(0o755)
    try:
        for path in sockets:
            path.chmod(0o666)
            tally.add(_OPEN, won=_heard(path, _NOBODY))
            path.chmod(0o600)
    finally:
        for folder in folders:
            folder.chmod(0o700)


def _heard(path: Path, user: int) -> bool:
    """Return whether a party answers a process of this user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answered = b"n"
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            answered = b"y" if _asked(path) else b"n"
        finally:
            os.write(writing, answered)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told != b"n"


def _asked(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(_SECONDS)
        try:
            sock.connect(str(path))
            sock.sendall(_ASKED)
            return bool(sock.recv(1))
        except TimeoutError:
            return True  # it was not refused
        except OSError:
            return False
