"""A worker of the daemon: it accepts questions, hands on others' ones, and leaves no client without an answer."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.daemon.connection import Connection, Handed, Inbox, Outbox, guess, take_from, worker_of
from remit.guard.daemon.protocol import OWN, Question, answer_object, denial, other_version_bytes
from remit.version import VERSION
from remit.version import __file__ as version_file

if TYPE_CHECKING:
    import socket

    from remit.guard.daemon.dispatch import Dispatch
    from remit.guard.daemon.supervisor import SharedCounters
    from remit.guard.event import Event

STATUS, STOP = "status", "stop"  # from our own programs: they grant nothing, because agents may ask them too
_AT_A_TIME = 32
_PAUSE = 0.1  # seconds


class Limits(NamedTuple):
    """Limits of a worker. Times are in seconds."""

    connections: int = 512
    question: float = 10.0  # for the question to arrive, and for the answer to be read
    answer: float = 120.0  # for the decision; clients give up earlier
    idle: float = 3600.0  # without a question, until the daemon ends
    finish: float = 5.0  # for questions under way when it ends
    workers: int = min(2, os.cpu_count() or 1)  # deciding processes


USUAL = Limits()


class WorkerContext(NamedTuple):
    """What one worker shares with the others and with the supervisor."""

    number: int
    board: SharedCounters
    inboxes: tuple[Inbox, ...]  # of all workers
    front: int  # the process that started it
    end: Callable[[], None]  # ends the whole daemon: removes the socket and notifies the supervisor

    def mine(self, host: str, session: str) -> bool:
        """Whether this worker decides for a session."""
        return worker_of(host, session, len(self.inboxes)) == self.number


class Server:
    """One worker of a daemon."""

    def __init__(self, dispatch: Dispatch, seat: WorkerContext, limits: Limits = USUAL, version: str = VERSION) -> None:
        self.limits = limits
        self._dispatch = dispatch
        self._seat = seat
        self._version = version
        self._outboxes = tuple(map(Outbox, seat.inboxes))
        self._connections: set[Connection] = set()
        self._stopped = asyncio.Event()
        self._listener: socket.socket | None = None

    async def serve(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Answer until stopped."""
        self._listener = listener
        self._listen()
        own = self._seat.inboxes[self._seat.number]
        asyncio.get_running_loop().add_reader(own.read.fileno(), take_from, own, self._handed)
        ready()
        await self._stopped.wait()
        self._listen_no_more()
        await self._finish()

    def _listen(self) -> None:
        if self._listener is not None:
            asyncio.get_running_loop().add_reader(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        """Accept waiting clients, a few at a time so that other workers get some."""
        loop = asyncio.get_running_loop()
        for _ in range(_AT_A_TIME):
            if self._listener is None:
                return
            try:
                link, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # out of file descriptors: close present connections first
                loop.remove_reader(self._listener.fileno())
                loop.call_later(_PAUSE, self._listen)
                return
            self._begin(Connection(self, link, loop))

    def _handed(self, link: socket.socket, read: bytes, known: bool) -> None:  # noqa: FBT001  as a message has it
        """Take over a question that another worker handed on because its session is ours, or probably is."""
        handed = Handed.KNOWN if known else Handed.GUESSED
        self._begin(Connection(self, link, asyncio.get_running_loop(), handed), read)

    def _begin(self, connection: Connection, read: bytes = b"") -> None:
        try:
            connection.begin(read)
        except BaseException:
            connection.end()  # without an answer, which is a denial
            raise

    async def _finish(self) -> None:
        """Wait briefly for questions under way; deny those that take longer."""
        end = time.monotonic() + self.limits.finish
        while (self._dispatch.busy or self._connections) and time.monotonic() < end:  # noqa: ASYNC110  it is short
            await asyncio.sleep(0.01)
        self._dispatch.close()
        for connection in list(self._connections):
            connection.answer(denial("the daemon ends"))
        await asyncio.sleep(0.01)

    def stop(self) -> None:
        """Stop soon."""
        self._stopped.set()

    def make_way(self) -> None:
        """Take no more questions, so that a client that finds no daemon starts another one."""
        self._seat.end()
        self._listen_no_more()
        self._stopped.set()

    def _listen_no_more(self) -> None:
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener.fileno())
            self._listener.close()
            self._listener = None

    def enter(self, connection: Connection) -> bool:
        """Whether there is room for one more connection."""
        room = self._seat.board.connections() < self.limits.connections
        self._connections.add(connection)
        self._seat.board.holds(self._seat.number, len(self._connections))
        return room

    def leave(self, connection: Connection) -> None:
        """Release the room of one connection."""
        self._connections.discard(connection)
        self._seat.board.holds(self._seat.number, len(self._connections))

    def guess(self, connection: Connection, said: bytes) -> bool:
        """Return the other worker that a question probably belongs to."""
        to = guess(said, len(self._outboxes)) if len(self._outboxes) > 1 else None
        if to is None or to == self._seat.number:
            return False
        self._outboxes[to].put(connection)
        return True

    def hand_on(self, connection: Connection, event: Event) -> None:
        """Hand a question to the worker that decides for its session."""
        self._outboxes[worker_of(event.host, event.session, len(self._outboxes))].put(connection)

    def _is_replaced(self) -> bool:
        """Whether another version is installed than the one that runs; otherwise the client is old, and is answered."""
        try:
            return f'VERSION = "{self._version}"' not in Path(version_file).read_text("utf-8")
        except OSError:
            return True

    def take(self, connection: Connection, question: Question, body: bytes) -> None:
        """Handle a complete question."""
        board = self._seat.board
        board.asked(self._seat.number)
        if question.version not in ("", self._version) and self._is_replaced():
            self.make_way()
            connection.send(other_version_bytes(self._version))
        elif question.host == OWN and question.event == STATUS:
            found = {
                "pid": self._seat.front,
                "version": self._version,
                "seconds": round(time.monotonic() - board.since, 3),
                "decided": board.decided(),
            }
            connection.answer(answer_object(found))
        elif question.host == OWN and question.event == STOP:
            connection.answer(answer_object({"pid": self._seat.front}))
            self.make_way()
        else:
            self._dispatch.take(connection, question, body)
