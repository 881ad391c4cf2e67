"""The life of a daemon: it listens, makes way for another version, ends when idle or told, and leaves nobody without an answer."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.daemon.carry import answer_object, denial
from remit.guard.daemon.connection import Connection
from remit.guard.wire import OWN, other_version_bytes
from remit.version import VERSION

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from remit.guard.daemon.dispatch import Dispatch
    from remit.guard.wire import Question

STATUS, STOP = "status", "stop"  # what the daemon itself answers; the rest is the engine's
_AT_A_TIME = 32
_PAUSE = 0.1  # seconds


class Limits(NamedTuple):
    """How much and how long. Seconds."""

    connections: int = 512
    question: float = 10.0  # until it is there, and until an answer is taken
    answer: float = 120.0  # until it is decided; clients give up earlier
    idle: float = 3600.0  # without a question, until the daemon ends
    finish: float = 5.0  # for what is under way when it ends


USUAL = Limits()


class Server:
    """One daemon."""

    def __init__(self, dispatch: Dispatch, limits: Limits = USUAL, version: str = VERSION) -> None:
        self.limits = limits
        self._dispatch = dispatch
        self._version = version
        self._connections: set[Connection] = set()
        self._stopped = asyncio.Event()
        self._listener: socket.socket | None = None
        self._unlink: Callable[[], None] | None = None
        self._since = self._last = time.monotonic()

    async def serve(self, listener: socket.socket, unlink: Callable[[], None], ready: Callable[[], None]) -> None:
        """Answer until told to stop or idle. `unlink` takes the socket away before the last answers are given."""
        self._unlink = unlink
        self._listener = listener
        listener.setblocking(False)
        self._listen()
        ready()
        await self._until_stopped()
        self.make_way()
        await self._finish()

    def _listen(self) -> None:
        if self._listener is not None:
            asyncio.get_running_loop().add_reader(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        """Take those who wait, a few at a time: the others have their turn too."""
        loop = asyncio.get_running_loop()
        for _ in range(_AT_A_TIME):
            if self._listener is None:
                return
            try:
                link, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no more files may be open: those that are there end first
                loop.remove_reader(self._listener.fileno())
                loop.call_later(_PAUSE, self._listen)
                return
            connection = Connection(self, link, loop)
            try:
                connection.begin()
            except BaseException:
                connection.end()  # without an answer, which is a denial
                raise

    async def _until_stopped(self) -> None:
        while not self._stopped.is_set():
            left = self._last + self.limits.idle - time.monotonic()
            if left <= 0 and not self._connections:
                return
            try:
                async with asyncio.timeout(max(left, 0.05)):
                    await self._stopped.wait()
            except TimeoutError:
                continue

    async def _finish(self) -> None:
        """Wait a moment for what is under way; deny what takes longer."""
        end = time.monotonic() + self.limits.finish
        while (self._dispatch.busy or self._connections) and time.monotonic() < end:  # noqa: ASYNC110  it is short
            await asyncio.sleep(0.01)
        self._dispatch.close()
        for connection in list(self._connections):
            connection.answer(denial("the daemon ends"))
        await asyncio.sleep(0.01)

    def stop(self) -> None:
        """End soon."""
        self._stopped.set()

    def make_way(self) -> None:
        """Take no more questions, so that a client that finds nobody starts another daemon."""
        if self._listener is not None and self._unlink is not None:
            self._unlink()
            asyncio.get_running_loop().remove_reader(self._listener.fileno())
            self._listener.close()
            self._listener = None
        self._stopped.set()

    def enter(self, connection: Connection) -> bool:
        """Whether there is room for one more."""
        room = len(self._connections) < self.limits.connections
        self._connections.add(connection)
        return room

    def leave(self, connection: Connection) -> None:
        """One less."""
        self._connections.discard(connection)

    def take(self, connection: Connection, question: Question, body: bytes) -> None:
        """A whole question came."""
        self._last = time.monotonic()
        if question.version and question.version != self._version:
            self.make_way()
            connection.send(other_version_bytes(self._version))
        elif question.host == OWN and question.event == STATUS:
            running = round(time.monotonic() - self._since, 3)
            found = {
                "pid": os.getpid(),
                "version": self._version,
                "seconds": running,
                "decided": self._dispatch.decided,
            }
            connection.answer(answer_object(found))
        elif question.host == OWN and question.event == STOP:
            connection.answer(answer_object({"pid": os.getpid()}))
            self.make_way()
        else:
            self._dispatch.take(connection, question, body)
