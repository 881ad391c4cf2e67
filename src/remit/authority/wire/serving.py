"""An application behind a socket: peers are checked when they connect, before a byte of theirs is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from remit.authority.wire.address import listening, peer_fault, serving_context

if TYPE_CHECKING:
    import asyncio

    from starlette.applications import Starlette

    from remit.authority.wire.address import Address, Certificates, Peers

_KEEP_ALIVE = 600  # seconds that a gateway's connection may be silent


def checked_protocol(peers: Peers) -> type[HttpToolsProtocol]:
    """The protocol of a server that these peers may speak with."""

    class Checked(HttpToolsProtocol):
        """Closes connections of others."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            if peer_fault(peers, transport.get_extra_info("socket"), transport.get_extra_info("peercert")):
                transport.abort()
                return
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            if not self.transport.is_closing():
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            if getattr(self, "transport", None) is not None:
                super().connection_lost(exc)

    return Checked


def server(app: Starlette, peers: Peers, files: Certificates | None) -> uvicorn.Server:
    """A server for an application; `serve_at` runs it."""
    config = uvicorn.Config(
        app, http=checked_protocol(peers), ws="none", lifespan="on", loop="uvloop", log_level="warning",
        access_log=False, server_header=False, date_header=False, timeout_keep_alive=_KEEP_ALIVE,
    )  # fmt: skip
    if files is not None:
        config.load()
        config.ssl = serving_context(files)
    return uvicorn.Server(config)


async def serve_at(address: Address, running: uvicorn.Server, **_: Any) -> None:
    """Run until it is told to stop."""
    sock = listening(address)
    try:
        await running.serve(sockets=[sock])
    finally:
        sock.close()
