"""Questions of Remit's own commands to a running daemon. They never start one."""

from __future__ import annotations

import json
import os
import socket
from typing import Any

from remit.core.errors import GuardError
from remit.guard.daemon.protocol import ANSWERED, OWN, Answer, Question, peer_user, question_line, read_answer
from remit.guard.state_folder import StateFolder, private_socket

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
    if not isinstance(found, Answer) or found.exit != ANSWERED:
        said = found.stderr.decode("utf-8", "replace").strip() if isinstance(found, Answer) else "another version"
        raise GuardError(f"the daemon refuses: {said}", "see `remit guard status`")
    value: dict[str, Any] = json.loads(found.stdout)
    return value
