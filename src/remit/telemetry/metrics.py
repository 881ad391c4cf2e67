"""Prometheus metrics: those counted here, and registries of other parts of the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from socket import AF_INET6
from typing import Any, cast
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest

from remit.core.errors import UsageError
from remit.core.telemetry_table import told
from remit.telemetry.scrubbing import OTHER, fitting
from remit.telemetry.settings import is_loopback

_PATH = "/metrics"
_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LATE = 2.0  # seconds that a client may be silent


class _Server(HTTPServer):
    """An HTTP server that ignores errors of clients."""

    allow_reuse_address = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Log nothing: client addresses are private."""


class _Server6(_Server):
    address_family = AF_INET6


class Endpoint:
    """A thread that serves the metrics."""

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
        """The port that it listens on."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


def _handler(text: Callable[[], bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Serves the metrics."""

        timeout = _LATE
        server_version, sys_version = "remit", ""

        def do_GET(self) -> None:
            """Serve requests with a local host name only: a web page that reached us by DNS rebinding has another."""
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
            """Log nothing about clients."""

    return Handler


_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60)
_MOST = 500  # label sets of one metric; further ones count as `other`
_MAKERS: dict[str, Any] = {"counter": Counter, "histogram": partial(Histogram, buckets=_SECONDS)}
disable_created_metrics()  # type: ignore[no-untyped-call]


class Figures:
    """The metrics of one process, with their endpoint."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._registry = CollectorRegistry()
        self._known: dict[str, Any] = {}
        self._sets: dict[str, dict[tuple[str, ...], Any]] = {}
        self._making = threading.Lock()
        self._endpoint = Endpoint(address, self.text)

    def count(self, name: str, labels: tuple[str, ...], number: int = 1) -> None:
        """Increase a counter."""
        self._of(name, labels).inc(number)

    def observe(self, name: str, value: float, labels: tuple[str, ...]) -> None:
        """Add a value to a histogram."""
        self._of(name, labels).observe(value)

    def also(self, collector: object) -> None:
        """Add the metrics of another registry."""
        self._registry.register(cast("Any", collector))

    def text(self) -> bytes:
        """Return all metrics in the format for scraping."""
        return generate_latest(self._registry)

    def close(self) -> None:
        """Stop serving."""
        self._endpoint.close()

    def _of(self, name: str, labels: tuple[str, ...]) -> Any:
        """Return the metric with these labels."""
        found = self._sets.get(name, {}).get(labels)
        if found is None:
            with self._making:
                found = self._made(name, labels)
        return found

    def _made(self, name: str, labels: tuple[str, ...]) -> Any:
        """Create the metric with these labels, each in its form; above the limit of label sets as `other`."""
        row, sets = told().figures[name], self._sets.setdefault(name, {})
        if name not in self._known:
            self._known[name] = _MAKERS[row.kind](name, row.about, row.fields, registry=self._registry)
        figure = self._known[name]
        fit = tuple(str(fitting(*pair)) for pair in zip(row.fields, labels, strict=True))
        if fit not in sets and len(sets) >= _MOST:
            fit = (OTHER,) * len(labels)
        if fit not in sets:
            sets[fit] = figure.labels(*fit) if fit else figure
        return sets[fit]
