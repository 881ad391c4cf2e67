"""An HTTP server for a party: peers are checked when they connect, before any of their bytes are read."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from remit.authority.wire.address import Address, Certificates, Peers, listening, peer_fault, peer_user, serving_context
from remit.authority.wire.metrics import Measures, watching
from remit.core import telemetry
from remit.core.errors import AuthorityError, RemitError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from remit.authority.settings import PartySettings

_WATCH = "watch"
USER = "user"  # before the user id, in the client of a request that came through a Unix socket
_GRACE = 5  # seconds to finish open requests
_WHOLE = 30.0  # seconds for a request to arrive whole: slower senders would block a slot
_HEAD = 64 * 1024  # bytes of a request's head
_KEEP_ALIVE = 600  # seconds that a gateway's connection may be silent


class _Bounded(HttpToolsProtocol):
    """A protocol with limits on the time of a request and the size of its head. The application limits the body."""

    _late: asyncio.TimerHandle | None = None
    _heading, _head = True, 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(_WHOLE, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head += len(data) if self._heading else 0
        if self._head > _HEAD:
            self.transport.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._heading, self._head = True, 0
        if self._late is None:
            self._late = self.loop.call_later(_WHOLE, self.transport.abort)

    def on_headers_complete(self) -> None:
        self._heading, self._head = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_time()

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def checked_protocol(peers: Peers) -> type[HttpToolsProtocol]:
    """Return a server protocol that accepts only these peers."""

    class PeerCheckedProtocol(_Bounded):
        """A protocol that closes connections of other peers."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            if peer_fault(peers, transport.get_extra_info("socket"), transport.get_extra_info("peercert")):
                transport.abort()
                return
            super().connection_made(transport)
            uid = peer_user(transport.get_extra_info("socket"))
            self.client = None if uid is None else (USER, uid)  # what an application sees as the client

        def data_received(self, data: bytes) -> None:
            if not self.transport.is_closing():
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            if getattr(self, "transport", None) is not None:
                super().connection_lost(exc)

    return PeerCheckedProtocol


class _Server(uvicorn.Server):
    """A server that leaves signals to `serve_all`, which runs several in one process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield


class Served(NamedTuple):
    """An application, where it listens, and which peers may connect."""

    app: Starlette
    address: Address
    peers: Peers
    files: Certificates | None


def served_by(settings: PartySettings, app: Starlette, purpose: str = "http") -> Served:
    """Return an application at the address in the settings."""
    return Served(app, settings.listen[purpose], settings.peers[purpose], settings.certificates())


def watched_by(settings: PartySettings, measures: Measures) -> tuple[Served, ...]:
    """Return the metrics server, if the settings have an address for it."""
    return (served_by(settings, watching(measures), _WATCH),) if _WATCH in settings.listen else ()


async def serve_all(*served: Served, renew: Callable[[], Awaitable[object]] | None = None) -> None:
    """Serve until the process is stopped; then accept nothing more, and finish open requests.

    `renew`: takes a later policy, if there is one; SIGHUP asks for it.
    """
    servers = [_server(one) for one in served]
    loop, renewing = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def stop() -> None:
        for running in servers:
            running.should_exit = True

    def again(renew: Callable[[], Awaitable[object]]) -> None:
        task = loop.create_task(_renewed(renew))
        renewing.add(task)
        task.add_done_callback(renewing.discard)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if renew is not None:
        loop.add_signal_handler(signal.SIGHUP, again, renew)
    sockets = [listening(one.address) for one in served]
    gc.collect()
    gc.freeze()  # loaded modules stay: the garbage collector need not scan them again while a request waits
    try:
        await asyncio.gather(*(running.serve(sockets=[sock]) for running, sock in zip(servers, sockets, strict=True)))
    finally:
        for sock in sockets:
            sock.close()


async def _renewed(renew: Callable[[], Awaitable[object]]) -> None:
    """Load a later policy. One that cannot be used is ignored, and the current policy stays."""
    try:
        await renew()
    except RemitError as error:
        telemetry.event("SETTINGS_REFUSED", detail=error.message)
        sys.stderr.write(f"remit: the new policy does not count: {error.message}\n")  # the log of the party
        sys.stderr.flush()
    else:
        telemetry.event("SETTINGS_RELOADED")


def _server(served: Served) -> _Server:
    config = uvicorn.Config(
        served.app, http=checked_protocol(served.peers), ws="none", lifespan="off", log_level="error",
        access_log=False, proxy_headers=False, server_header=False, date_header=False, timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=_GRACE,
    )  # fmt: skip
    if not served.address.path:
        if served.files is None:
            raise AuthorityError(
                f"there are no certificates to listen at {served.address}", "name them in the settings"
            )
        config.load()
        config.ssl = serving_context(served.files)
    served.app.router.redirect_slashes = False  # each route has one name
    return _Server(config)
