"""Installation for the games in a folder of its own: a policy, keys, secrets, a mail server, and all parties as
processes; and the counts of what was tried.

The mail server keeps what it receives: enough SMTP for `smtplib`, in a thread of its own.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socketserver
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.operator_actions import CredentialContents, give
from remit.gateway.deployment.processes import start, status, stop

if TYPE_CHECKING:
    from remit.gateway.deployment.plan import Party


class Tried(NamedTuple):
    """One kind of attempt; `won` must be 0. A positive control must succeed, and counts as won if it did not."""

    game: str
    what: str
    times: int
    won: int
    note: str = ""
    codes: tuple[str, ...] = ()  # codes of the refusals


class Tally:
    """Counts the attempts of one game, in the order of the first tries."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._times: dict[str, int] = {}
        self._won: dict[str, int] = {}
        self._notes: dict[str, str] = {}
        self._codes: dict[str, set[str]] = {}

    def add(self, what: str, *, won: bool, note: str = "", code: str = "") -> None:
        """Count one attempt; the note of the first win is kept."""
        self._times[what] = self._times.get(what, 0) + 1
        self._won[what] = self._won.get(what, 0) + won
        self._codes.setdefault(what, set()).update((code,) if code else ())
        if note and (won or what not in self._notes):
            self._notes[what] = note if self._won[what] in (0, 1) else self._notes[what]

    def tried(self) -> tuple[Tried, ...]:
        """Return all counts."""
        return tuple(
            Tried(self._game, what, times, self._won[what], self._notes.get(what, ""), tuple(sorted(self._codes[what])))
            for what, times in self._times.items()
        )


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
                # from here on it counts as sent, whether or not the sender sees the reply
                self.server.taken.append(text)
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


POLICY = """\
policy  games
list    recipients  anna@example.org boss@example.org
list    domains     example.org
list    fragments   windows 12 project-nightingale
list    keys        note

intent  SendMessage
allow   recipient in recipients
allow   domain in domains
deny    text has fragments
confirm recipient not in recipients
redact  text shows card

intent  UseCredential
allow   domain in domains

intent  ReadFile
allow   always

intent  Declassify
allow   always
confirm always

intent  MemoryWrite
allow   token in keys

intent  FinalizeOutput
allow   not text shows key
"""
_HOUR = 3600


class Office(NamedTuple):
    """A running installation, and the messages that it sent."""

    folder: Path
    parties: tuple[Party, ...]
    taken: list[bytes]

    @property
    def gateway(self) -> str:
        """The gateway's socket."""
        return str(self.folder / "run" / "gateway.sock")

    def credential(self, name: str, session: str, seconds: int = _HOUR) -> str:
        """Return a credential for an agent with all rights."""
        return give(self.folder, CredentialContents(name, session, ("*",), ("*",), seconds))


def killed(place: Office, role: str) -> None:
    """Kill a party, as if its machine had failed, and restart it."""
    (pid,) = [one.pid for one in status(place.folder, place.parties) if one.role == role]
    os.kill(pid, signal.SIGKILL)
    for _ in start(place.folder, place.parties):
        pass


@contextmanager
def office(change: Callable[[Path], None] | None = None, policy: str = POLICY) -> Iterator[Office]:
    """Create and start an installation; it is stopped and deleted at the end.

    `change`: called with the folder before the start.
    """
    with tempfile.TemporaryDirectory(prefix="remit-games-") as place, mail_sink() as (port, taken):
        folder, written = Path(place) / "up", Path(place) / "games.policy"
        written.write_text(policy)
        parties = make_folder(folder, written)
        mail = {"host": "127.0.0.1", "port": port, "from": "agent@example.org", "tls": "none"}
        (folder / "effects.json").write_text(json.dumps({"v": 1, "smtp": mail}))
        if change is not None:
            change(folder)
        try:
            for _ in start(folder, parties):
                pass
            yield Office(folder, parties, taken)
        finally:
            for _ in stop(folder):
                pass
