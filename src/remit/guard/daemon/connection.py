"""One connection: a question comes in, an answer goes out, and it ends."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import struct
from typing import TYPE_CHECKING, cast

from remit.core.errors import GuardError
from remit.guard.daemon.carry import denial
from remit.guard.wire import LONGEST_LINE, answer_bytes, read_question_line

if TYPE_CHECKING:
    from remit.guard.daemon.server import Server
    from remit.guard.wire import Answer, Question

_CREDENTIALS = struct.Struct("3i")  # process, user, group: struct ucred


class Connection(asyncio.Protocol):
    """Reads exactly one question. Whatever is not one is answered with a denial and closed."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._data = bytearray()
        self._question: Question | None = None
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._asked = False
        self._room = False

    @property
    def gone(self) -> bool:
        """Whether nobody waits for an answer. Who only says no more still waits; who hung up does not."""
        if self._transport is None or self._transport.is_closing():
            return True
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there: it must be our own user."""
        self._transport = cast("asyncio.Transport", transport)
        self._room = self._server.enter(self)
        if peer_user(transport.get_extra_info("socket")) != os.geteuid():
            self._transport.abort()
        else:
            self._timer = asyncio.get_running_loop().call_later(self._server.limits.question, self._late)

    def data_received(self, data: bytes) -> None:
        """Another piece of the question."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._asked:
            self.answer(denial("more was said than announced"))
            return
        self._data += data
        try:
            self._read()
        except GuardError as error:
            self.answer(denial(error))

    def _read(self) -> None:
        if self._question is None:
            end = self._data.find(b"\n", 0, LONGEST_LINE) + 1
            if not end:
                if len(self._data) >= LONGEST_LINE:
                    raise GuardError("what was asked is not of the protocol", "use the client of this version")
                return
            self._question = read_question_line(bytes(self._data[:end]))
            del self._data[:end]
        missing = self._question.length - len(self._data)
        if missing < 0:
            raise GuardError("more was said than announced", "use the client of this version")
        if missing == 0:
            self._asked = True
            self._set_timer(self._server.limits.answer)
            body = bytes(self._data)
            self._data.clear()
            if not self._room:  # said only now: who is cut off while it speaks does not hear the reason
                raise GuardError("too many hooks ask at once", "wait a moment")
            self._server.take(self, self._question, body)

    def _set_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def _late(self) -> None:
        self.answer(denial("no decision in time" if self._asked else "the question did not come in time"))

    def answer(self, answer: Answer) -> None:
        """Say it, and end."""
        self.send(answer_bytes(answer))

    def send(self, data: bytes) -> None:
        """Say it as it is, and end; nothing if nobody waits."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._server.limits.question, transport.abort)
        transport.write(data)
        transport.close()

    def eof_received(self) -> bool:
        """The other side says no more; with an incomplete question that is the end."""
        if not self._asked:
            self.answer(denial("the question is cut short"))
        return True

    def connection_lost(self, _error: Exception | None) -> None:
        """It ended."""
        if self._timer is not None:
            self._timer.cancel()
        self._transport = None
        self._server.leave(self)


def peer_user(link: socket.socket) -> int:
    """The user at the other end, as the kernel says."""
    try:
        data = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return int(_CREDENTIALS.unpack(data)[1])
    except (OSError, AttributeError, struct.error):
        return -1  # nobody
