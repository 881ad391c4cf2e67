"""Where figures are told: `GET /metrics` at an address of this machine. One at a time, and nobody can make the process wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from socket import AF_INET6
from urllib.parse import urlsplit

from remit.core.errors import UsageError
from remit.telemetry.settings import is_loopback

_PATH = "/metrics"
_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LATE = 2.0  # seconds that whoever asks may be silent


class _Server(HTTPServer):
    """Errors of whoever asks are theirs."""

    allow_reuse_address = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: the address of a client is nobody's business."""


class _Server6(_Server):
    address_family = AF_INET6


class Endpoint:
    """A thread that answers whoever scrapes."""

    def __init__(self, address: tuple[str, int], text: Callable[[], bytes]) -> None:
        try:
            self._server = (_Server6 if ":" in address[0] else _Server)(address, _handler(text))
        except OSError as error:
            why = (error.strerror or "error").lower()
            message = f"metrics cannot be served at {address[0]}:{address[1]}: {why}"
            raise UsageError(message, "name another first port with `remit telemetry on prometheus=…`") from None
        threading.Thread(target=self._server.serve_forever, name="remit-figures", daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()


def _handler(text: Callable[[], bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one thing."""

        timeout = _LATE
        server_version, sys_version = "remit", ""

        def do_GET(self) -> None:
            """The figures, for who asks this machine by a name of its own: a page of the web with a name for it does not."""
            if not is_loopback(urlsplit(f"//{self.headers.get('host', '')}").hostname or ""):
                self.send_error(HTTPStatus.FORBIDDEN)
            elif self.path != _PATH:
                self.send_error(HTTPStatus.NOT_FOUND)
            else:
                self._answer(text())

        def _answer(self, body: bytes) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("content-type", _TYPE)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the standard library calls it
            """Nothing is written about who asks."""

    return Handler
