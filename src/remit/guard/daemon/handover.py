"""Whose a session is, and how a connection comes to the worker that decides for it.

Every worker accepts. A question of a session that is not its own it hands on: the connection itself, with what was read of it, in one
message that comes whole or not at all. By a look at the first bytes it guesses whose the session is, which spares it reading the
question; only who has read it knows, and hands it on once more if the guess was wrong. Each worker has an inbox; its two ends are made
before the workers, so that what lies in it outlives a worker that was killed and is answered by the one that takes its place.
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

_INLINE = 16 * 1024  # bytes of a question that lie in the message itself; longer ones in memory of their own
_AT_A_TIME = 32
_IN_MEMORY = 2  # files that come with a message whose question lies in memory


# The beginning of a question, and the first field that is called as hosts call the name of a session. Whatever else it may be, it is a guess.
_GUESS = re.compile(
    PROTOCOL.encode() + rb' ([!-~]{1,64}) [^\n]{1,200}\n[^\0]{0,4096}?"session(?:_id|Id|ID|)"\s?:\s?"([^"\\]{1,200})"'
)
_GUESSED, _KNOWN = b"?", b"!"


def worker_of(host: str, session: str, workers: int) -> int:
    """The worker that decides for a session, the same one as long as the daemon lives."""
    return zlib.crc32(f"{host}\0{session}".encode("utf-8", "surrogatepass")) % workers


def guess(said: bytes, workers: int) -> int | None:
    """The worker that probably decides for a question, by how it begins; None if that says nothing."""
    found = _GUESS.match(said)
    return zlib.crc32(b"%s\0%s" % found.groups()) % workers if found else None


class Inbox(NamedTuple):
    """The two ends."""

    read: socket.socket
    write: socket.socket


def make_inbox() -> Inbox:
    """An inbox that keeps messages apart."""
    read, write = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (read, write):
        end.setblocking(False)
    return Inbox(read, write)


class Parcel(Protocol):
    """A connection that is handed on."""

    def handed(self) -> tuple[socket.socket, bytes, bool] | None:
        """What is handed on, what was read of it, and whether it is known to be the other's; None if it has ended meanwhile."""
        ...

    def end(self) -> None:
        """It is another worker's now, or nobody's."""
        ...


class Outbox:
    """What goes to another worker. What finds no room in its inbox waits here, and is denied here when that takes too long."""

    def __init__(self, inbox: Inbox) -> None:
        self._to = inbox.write
        self._waiting: deque[Parcel] = deque()
        self._full = False  # the inbox is, and we hear of it when it is no more

    def put(self, parcel: Parcel) -> None:
        """Send it, now or when there is room."""
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
        """Whether it is done: sent, over, or not to be sent at all, which ends it without an answer."""
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
    """Take what lies in our inbox, a few at a time."""
    for _ in range(_AT_A_TIME):
        try:
            data, files, _, _ = socket.recv_fds(inbox.read, _INLINE + 1, _IN_MEMORY, socket.MSG_CMSG_CLOEXEC)
        except (BlockingIOError, InterruptedError):
            return
        if not files:
            continue  # the kernel had no room for it: it is closed, which is a denial
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=files[0])
        how, said = data[:1], data[1:]
        if len(files) == _IN_MEMORY:
            with open(files[1], "rb") as file:  # noqa: PTH123
                file.seek(0)
                said = file.read()
        take(link, said, how == _KNOWN)
