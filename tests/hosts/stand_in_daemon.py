"""A daemon that speaks the real protocol through the real adapters, and decides what a test wrote down."""

from __future__ import annotations

import json
import shutil
import socket
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.daemon.protocol import HookAnswer, answer_bytes, read_question_line
from remit.guard.event import PASS, Event, Kind, Outcome, Verdict
from remit.guard.hosts.registry import find_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Daemon(NamedTuple):
    """Where it listens, and what it was asked."""

    state: Path
    events: list[Event]

    def of(self, kind: Kind) -> list[Event]:
        """The events of one kind."""
        return [event for event in self.events if event.kind is kind]


def denies_tools(event: Event) -> Verdict:
    """No tool may run."""
    return Verdict(Outcome.DENY, "outside of the remit") if event.kind is Kind.BEFORE else PASS


@contextmanager
def daemon(decide: Callable[[Event], Verdict] = lambda _: PASS, raw: bytes | None = None) -> Iterator[Daemon]:
    """A daemon in a state folder of its own. With `raw` it answers every question with these bytes; with empty ones, never."""
    state = Path(tempfile.mkdtemp(prefix="remit"))  # a short path: sockets take no long ones
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(state / "guard.sock"))
    (state / "guard.sock").chmod(0o600)
    server.listen(16)
    found = Daemon(state, [])
    hanging: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return
            if raw == b"":
                hanging.append(link)
                continue
            with link:
                _serve(link, decide, raw, found)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        for link in hanging:
            link.close()
        thread.join()
        shutil.rmtree(state)


def _serve(link: socket.socket, decide: Callable[[Event], Verdict], raw: bytes | None, found: Daemon) -> None:
    with link.makefile("rb") as stream:
        question = read_question_line(stream.readline())
        text = stream.read(question.length)
    host = find_host(question.host)
    assert host is not None
    try:
        event = host.read(question.event, json.loads(text))
    except ValueError:
        link.sendall(answer_bytes(HookAnswer(2, b"", b"what was told is not JSON")))
        return
    found.events.append(event)
    reply = host.reply(event, decide(event))
    link.sendall(raw or answer_bytes(HookAnswer(reply.exit, reply.stdout.encode(), reply.stderr.encode())))
