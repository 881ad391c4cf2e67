"""HTTP client of a collector: each message is sent once, with a time limit, only to the address in the settings."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

_MOST = 64 * 1024  # bytes of a response
_SUCCESS = range(200, 300)


class RefusedError(Exception):
    """The collector refused a message."""


class Collector:
    """The endpoint for spans, without proxies, redirects and cookies. Only the status of the response is used."""

    def __init__(self, url: str, seconds: float = 5.0) -> None:
        parts = urlsplit(url)
        self._host, self._seconds = parts.hostname or "", seconds
        self._secure = ssl.create_default_context() if parts.scheme == "https" else None
        self._port = parts.port or (443 if self._secure else 80)
        base = parts.path.rstrip("/")
        self._path = base if base.endswith("/v1/traces") else f"{base}/v1/traces"

    def post(self, body: bytes) -> None:
        """Send a message; raises if it was not accepted."""
        begun, link = time.monotonic(), self._link()
        end = threading.Timer(
            self._seconds, _cut, (link,)
        )  # total time limit: a timeout for each read could last forever
        end.daemon = True
        end.start()
        try:
            link.request("POST", self._path, body, {"content-type": "application/x-protobuf"})
            answer = link.getresponse()
            answer.read(_MOST)
        finally:
            end.cancel()
            link.close()
        if answer.status not in _SUCCESS or time.monotonic() - begun >= self._seconds:
            raise RefusedError(answer.status)

    def _link(self) -> http.client.HTTPConnection:
        if self._secure is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._seconds, context=self._secure)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._seconds)


def _cut(link: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        link.sock.shutdown(socket.SHUT_RDWR)
