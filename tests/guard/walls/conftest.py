"""Walls for tests; they are skipped where the machine has none."""

import http.server
import threading

import pytest
from walled import Walled

from remit.guard.walls import Walls


@pytest.fixture
def walled(tmp_path):
    found = Walled(tmp_path)
    if problem := found.walls.problem():
        pytest.skip(f"no walls on this machine: {problem}")
    yield found
    found.close()


@pytest.fixture
def no_walls(monkeypatch):
    """A machine on which walls cannot be made."""
    monkeypatch.setattr(Walls, "_prepared", lambda _: "user namespaces are forbidden on this machine")


class _Says(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"here")

    def log_message(self, *words):
        pass


@pytest.fixture
def served_once():
    """The host and port of a server outside of the walls."""
    server = http.server.ThreadingHTTPServer(("127.0.0.2", 0), _Says)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "127.0.0.2", server.server_port
    server.shutdown()
    server.server_close()
