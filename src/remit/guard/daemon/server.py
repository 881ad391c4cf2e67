"""A worker of the daemon, its connections with one question and one answer each, and their handover between workers.

A worker listens along with the others, exits in favour of another version, and leaves no client without an answer. A
connection works on the socket directly: most questions are complete on arrival and are answered at once, so that the
event loop is only involved when something has to be waited for.

Every worker accepts connections, reads the question, and hands on one of another worker's session: the connection
itself, with the question, in one message that arrives whole or not at all. Each worker has an inbox; both ends are made
before the workers, so that the content of an inbox outlives a killed worker and is answered by its replacement.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import time
import zlib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import GuardError
from remit.guard.daemon.protocol import (
    LONGEST_LINE,
    OWN,
    HookAnswer,
    Question,
    answer_bytes,
    answer_object,
    denial,
    other_version_bytes,
    peer_is_confined,
    peer_user,
    question_line,
    read_question_line,
)
from remit.version import VERSION
from remit.version import __file__ as version_file

if TYPE_CHECKING:
    from remit.guard.daemon.dispatch import Dispatch
    from remit.guard.daemon.supervisor import SharedCounters
    from remit.guard.event import Event


_INLINE = 16 * 1024  # bytes of a question in the message itself; longer ones are in shared memory
_AT_A_TIME = 32
_IN_MEMORY = 2  # file descriptors with a message whose question is in shared memory


def worker_of(host: str, session: str, workers: int) -> int:
    """Return the worker that decides for a session; it stays the same while the daemon lives."""
    return zlib.crc32(f"{host}\0{session}".encode("utf-8", "surrogatepass")) % workers


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


class Outbox:
    """Messages to another worker. If its inbox is full, they wait here, and are denied here when that takes too long."""

    def __init__(self, inbox: Inbox) -> None:
        self._to = inbox.write
        self._waiting: deque[Connection] = deque()
        self._full = False  # the inbox is full, and we are notified when it no longer is

    def put(self, parcel: Connection) -> None:
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

    def _sent(self, parcel: Connection) -> bool:
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


def _send(to: socket.socket, link: socket.socket, question: bytes) -> None:
    if len(question) <= _INLINE:
        socket.send_fds(to, [question], [link.fileno()])
        return
    memory = os.memfd_create("question", os.MFD_CLOEXEC)
    try:
        with open(memory, "wb", closefd=False) as file:
            file.write(question)
        socket.send_fds(to, [b"?"], [link.fileno(), memory])
    finally:
        os.close(memory)


def take_from(inbox: Inbox, take: Callable[[socket.socket, bytes], None]) -> None:
    """Receive messages from our inbox, a few at a time."""
    for _ in range(_AT_A_TIME):
        try:
            data, files, _, _ = socket.recv_fds(inbox.read, _INLINE, _IN_MEMORY, socket.MSG_CMSG_CLOEXEC)
        except (BlockingIOError, InterruptedError):
            return
        if not files:
            continue  # the kernel had no room for the descriptor: it is closed, which is a denial
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=files[0])
        if len(files) == _IN_MEMORY:
            with open(files[1], "rb") as file:  # noqa: PTH123
                file.seek(0)
                data = file.read()
        take(link, data)


_FIRST, _PIECE = (16 * 1024, 256 * 1024)  # bytes read at first and then: large buffers are costly to allocate each time


class Connection:
    """Reads exactly one question. Anything else is answered with a denial, and the connection is closed."""

    def __init__(
        self, server: Server, link: socket.socket, loop: asyncio.AbstractEventLoop, *, handed: bool = False
    ) -> None:
        self._server = server
        self._handed = handed  # by another worker, which has read the question
        self._link: socket.socket | None = link
        self._loop = loop
        self._data: bytes | bytearray = b""
        self._left = b""  # of the answer
        self._question: Question | None = None
        self._said = b""  # what another worker receives
        self._timer: asyncio.TimerHandle | None = None
        self._asked = False
        self._room = False
        self._watched = False  # the loop watches for input
        self._writing = False  # the loop watches for room to write the rest of the answer

    @property
    def gone(self) -> bool:
        """Whether the client has hung up. A client that only finished writing still waits."""
        if self._link is None or self._left:
            return True
        poll = select.poll()
        poll.register(self._link.fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    @property
    def confined(self) -> bool:
        """Whether the client runs in namespaces of its own."""
        return self._link is not None and peer_is_confined(self._link)

    def begin(self, read: bytes = b"") -> None:
        """Start serving a client, which must be our own user. `read` are bytes already read."""
        assert self._link is not None
        self._room = self._server.enter(self)
        if peer_user(self._link) != os.geteuid():
            self.end()
            return
        self._link.setblocking(False)
        if read:
            self._more(read)
        else:
            self._readable()
        if self._link is not None and not self._asked:
            self._set_timer(self._server.limits.question, self._late)

    def _readable(self) -> None:
        """Read another piece of the question, or its end."""
        if self._link is None or self._left:
            return
        try:
            data = self._link.recv(_PIECE if self._data else _FIRST)
        except (BlockingIOError, InterruptedError):
            self._watch()
            return
        except OSError:
            self.end()
            return
        if data and self._asked:
            self.answer(denial("more was said than announced"))
        elif data:
            self._more(data)
        elif self._asked:
            self._unwatch()  # the client has finished writing, and waits
        else:
            self.answer(denial("the question is cut short"))

    def _more(self, data: bytes) -> None:
        if self._data:  # avoids copying a question that comes in many pieces
            self._data = self._data if isinstance(self._data, bytearray) else bytearray(self._data)
            self._data += data
        else:
            self._data = data
        try:
            self._read()
        except GuardError as error:
            self.answer(denial(error))
        if self._link is not None and not self._left:
            self._watch()

    def _read(self) -> None:
        if self._question is None:
            end = self._data.find(b"\n", 0, LONGEST_LINE) + 1
            if not end:
                if len(self._data) >= LONGEST_LINE:
                    raise GuardError("the request does not follow the protocol", "use the client of this version")
                return
            self._question = read_question_line(bytes(self._data[:end]))
            self._data = self._data[end:]
        missing = self._question.length - len(self._data)
        if missing < 0:
            raise GuardError("more was said than announced", "use the client of this version")
        if missing == 0:
            self._asked = True
            body, self._data = bytes(self._data), b""
            if not self._room:  # said only now: a client that is cut off while it writes would not read the reason
                raise GuardError("too many hooks ask at once", "wait a moment")
            self._server.take(self, self._question, body)
            if self._link is not None and not self._left:
                self._set_timer(self._server.limits.answer, self._late)

    def _late(self) -> None:
        self.answer(denial("no decision in time" if self._asked else "the question did not come in time"))

    def hand_on(self, event: Event, question: Question, body: bytes) -> None:
        """Hand the question to the worker that decides for its session, which is known then: it goes no further."""
        if self._handed:
            self.answer(denial("the question came to a worker that does not decide for its session"))
            return
        self._said = question_line(question) + body
        self._server.hand_on(self, event)

    def handed(self) -> tuple[socket.socket, bytes] | None:
        """Return what another worker receives; None if the client has gone."""
        if self._link is None or self._left:
            return None
        return self._link, self._said

    def answer(self, answer: HookAnswer) -> None:
        """Send an answer, and close."""
        self.send(answer_bytes(answer))

    def send(self, data: bytes) -> None:
        """Send bytes, and close; nothing if the client has gone."""
        if self._link is None or self._left:
            return
        self._unwatch()
        self._left = data
        self._writable()
        if self._link is not None:
            self._loop.add_writer(self._link.fileno(), self._writable)
            self._writing = True
            self._set_timer(self._server.limits.question, self.end)

    def _writable(self) -> None:
        if self._link is None:
            return
        try:
            self._left = self._left[self._link.send(self._left) :]
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._left = b""
        if not self._left:
            self.end()

    def end(self) -> None:
        """Close the connection, answered or not."""
        link, self._link = self._link, None
        if link is None:
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._watched:
            self._loop.remove_reader(link.fileno())
        if self._writing:  # closing a file that the loop still watches would affect the next file with its number
            self._loop.remove_writer(link.fileno())
        link.close()
        self._server.leave(self)

    def _watch(self) -> None:
        if self._link is not None and not self._watched:
            self._loop.add_reader(self._link.fileno(), self._readable)
            self._watched = True

    def _unwatch(self) -> None:
        if self._link is not None and self._watched:
            self._loop.remove_reader(self._link.fileno())
            self._watched = False

    def _set_timer(self, seconds: float, late: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, late)


STATUS, STOP = "status", "stop"  # from our own programs: they grant nothing, because agents may ask them too
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

    def _handed(self, link: socket.socket, read: bytes) -> None:
        """Take over a question that another worker handed on because its session is ours."""
        self._begin(Connection(self, link, asyncio.get_running_loop(), handed=True), read)

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
        room = sum(self._seat.board.connections) < self.limits.connections
        self._connections.add(connection)
        self._seat.board.connections[self._seat.number] = len(self._connections)
        return room

    def leave(self, connection: Connection) -> None:
        """Release the room of one connection."""
        self._connections.discard(connection)
        self._seat.board.connections[self._seat.number] = len(self._connections)

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
        board.last[self._seat.number] = time.monotonic()
        if question.version not in ("", self._version) and self._is_replaced():
            self.make_way()
            connection.send(other_version_bytes(self._version))
        elif question.host == OWN and question.event == STATUS:
            found = {
                "pid": self._seat.front,
                "version": self._version,
                "seconds": round(time.monotonic() - board.since, 3),
                "decided": int(sum(board.decided)),
            }
            connection.answer(answer_object(found))
        elif question.host == OWN and question.event == STOP:
            connection.answer(answer_object({"pid": self._seat.front}))
            self.make_way()
        else:
            self._dispatch.take(connection, question, body)
