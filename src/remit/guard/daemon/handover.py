"""Assignment of sessions to workers, and the handover of connections between them.

Every worker accepts connections, and hands on a question of another worker's session: the connection itself, with what
was read of it, in one message that arrives whole or not at all. From the first bytes it guesses the session, to avoid
reading the question; only a worker that has read it knows, and hands it on once more if the guess was wrong. Each
worker has an inbox; both ends are made before the workers, so that the content of an inbox outlives a killed worker and
is answered by its replacement.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import zlib
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from remit.guard.daemon.protocol import PROTOCOL

_INLINE = 16 * 1024  # bytes of a question in the message itself; longer ones are in shared memory
_AT_A_TIME = 32
_IN_MEMORY = 2  # file descriptors with a message whose question is in shared memory


# The beginning of a question, and the first field whose name hosts use for the session. It is only a guess.
_GUESS = re.compile(
    PROTOCOL.encode() + rb' ([!-~]{1,64}) [^\n]{1,200}\n[^\0]{0,4096}?"session(?:_id|Id|ID|)"\s?:\s?"([^"\\]{1,200})"'
)
_GUESSED, _KNOWN = b"?", b"!"


def worker_of(host: str, session: str, workers: int) -> int:
    """Return the worker that decides for a session; it stays the same while the daemon lives."""
    return zlib.crc32(f"{host}\0{session}".encode("utf-8", "surrogatepass")) % workers


def guess(said: bytes, workers: int) -> int | None:
    """Return the worker that probably decides for a question, guessed from its beginning; None if that says nothing."""
    found = _GUESS.match(said)
    return zlib.crc32(b"%s\0%s" % found.groups()) % workers if found else None


class Inbox(NamedTuple):
    """Both ends of an inbox."""

    read: socket.socket
    write: socket.socket


def make_inbox() -> Inbox:
    """Return an inbox that keeps message boundaries."""
    read, write = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (read, write):
        end.setblocking(False)
    return Inbox(read, write)


class Parcel(Protocol):
    """A connection that is handed over."""

    def handed(self) -> tuple[socket.socket, bytes, bool] | None:
        """Return the connection, what was read of it, and whether the recipient is certain; None if the client has
        gone.
        """
        ...

    def end(self) -> None:
        """Release the connection: another worker has it, or it is closed."""
        ...


class Outbox:
    """Messages to another worker. If its inbox is full, they wait here, and are denied here when that takes too long."""

    def __init__(self, inbox: Inbox) -> None:
        self._to = inbox.write
        self._waiting: deque[Parcel] = deque()
        self._full = False  # the inbox is full, and we are notified when it no longer is

    def put(self, parcel: Parcel) -> None:
        """Send a message, now or when there is room."""
        self._waiting.append(parcel)
        if not self._full:
            self._send()

    def _send(self) -> None:
        while self._waiting and self._sent(self._waiting[0]):
            self._waiting.popleft()
        if self._full != bool(self._waiting):
            self._full = not self._full
            loop = asyncio.get_running_loop()
            if self._full:
                loop.add_writer(self._to.fileno(), self._send)
            else:
                loop.remove_writer(self._to.fileno())

    def _sent(self, parcel: Parcel) -> bool:
        """Whether a message is finished: sent, obsolete, or impossible to send, which closes it without an answer."""
        handed = parcel.handed()
        if handed is None:
            return True
        try:
            _send(self._to, *handed)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            pass
        parcel.end()
        return True


def _send(to: socket.socket, link: socket.socket, data: bytes, known: bool) -> None:  # noqa: FBT001  as a parcel has it
    how = _KNOWN if known else _GUESSED
    if len(data) <= _INLINE:
        socket.send_fds(to, [how, data], [link.fileno()])
        return
    memory = os.memfd_create("question", os.MFD_CLOEXEC)
    try:
        with open(memory, "wb", closefd=False) as file:
            file.write(data)
        socket.send_fds(to, [how], [link.fileno(), memory])
    finally:
        os.close(memory)


def take_from(inbox: Inbox, take: Callable[[socket.socket, bytes, bool], None]) -> None:
    """Receive messages from our inbox, a few at a time."""
    for _ in range(_AT_A_TIME):
        try:
            data, files, _, _ = socket.recv_fds(inbox.read, _INLINE + 1, _IN_MEMORY, socket.MSG_CMSG_CLOEXEC)
        except (BlockingIOError, InterruptedError):
            return
        if not files:
            continue  # the kernel had no room for the descriptor: it is closed, which is a denial
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=files[0])
        how, said = data[:1], data[1:]
        if len(files) == _IN_MEMORY:
            with open(files[1], "rb") as file:  # noqa: PTH123
                file.seek(0)
                said = file.read()
        take(link, said, how == _KNOWN)
