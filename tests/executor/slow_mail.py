"""A mail server that takes its time before and after it takes a message, so that a sender is often killed in between."""

import contextlib
import random
import re
import socketserver
import threading
import time
from contextlib import contextmanager
from typing import NamedTuple

NAME = re.compile(rb"Message-ID: <([0-9a-f]{32})@")
TEXT = re.compile(rb"\r\n\r\n(.*?)\r\n", re.DOTALL)


class Message(NamedTuple):
    """A message that left: the action that sent it, and what the agent wrote."""

    action: str
    text: str


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


class _Talk(socketserver.StreamRequestHandler):
    def handle(self):
        with contextlib.suppress(ConnectionError):  # the sender was killed
            self.talk()

    def talk(self):
        self.say("220 sink")
        while line := self.rfile.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"DATA":
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line)
                if line == b"":
                    return  # cut off before its end: it was not taken
                self.wait()
                self.server.taken.append(
                    b"".join(lines)
                )  # from here on it is sent, whether the sender hears of it or not
                self.wait()
                self.say("250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def wait(self):
        time.sleep(random.uniform(0, self.server.pause))

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


@contextmanager
def slow_mail(pause):
    """Gives the port and the raw messages that were taken; each of two pauses is up to `pause` seconds."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        server.taken, server.pause = [], pause
        runner = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        runner.start()
        try:
            yield server.server_address[1], server.taken
        finally:
            server.shutdown()
            runner.join()


def messages(taken):
    """What left, as the world saw it."""
    return [Message(NAME.search(text)[1].decode(), TEXT.search(text)[1].decode()) for text in taken]
