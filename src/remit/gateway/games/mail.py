"""Mail server for tests that keeps what it receives: enough SMTP for `smtplib`, in a thread of its own."""

from __future__ import annotations

import re
import socketserver
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_NAME = re.compile(rb"Message-ID: <([0-9a-f]{32})@")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    taken: list[bytes]


class _Talk(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        self.say("220 sink")
        while line := self.rfile.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"DATA":
                self.say("354 go on")
                text = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.taken.append(
                    text
                )  # from here on it counts as sent, whether or not the sender sees the reply
                self.say("250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")


@contextmanager
def mail_sink() -> Iterator[tuple[int, list[bytes]]]:
    """Run the server; yields its port and the list of received messages."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        server.taken = []
        runner = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        runner.start()
        try:
            yield server.server_address[1], server.taken
        finally:
            server.shutdown()
            runner.join()


def actions_of(taken: list[bytes]) -> Counter[str]:
    """Return how many messages each action sent."""
    found = [_NAME.search(text) for text in taken]
    return Counter(one[1].decode() if one else "" for one in found)
