"""The proxy process: clients at standard input or at a port, a server that is a program or a URL."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import anyio
import uvicorn
from mcp.server.stdio import stdio_server

from remit.core.errors import GuardError, RemitError
from remit.guard.mcp.http_server import PATH, Front, allowed
from remit.guard.mcp.relay import Relay

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.client._transport import TransportStreams

    from remit.guard.daemon.daemon_client import Guard
    from remit.guard.mcp.consent import Consent
    from remit.guard.mcp.pins import PinFiles
    from remit.guard.mcp.settings import Settings

SERVER_ENDED = 1


class Proxy(NamedTuple):
    """The configuration of a proxy."""

    settings: Settings
    guard: Guard
    files: PinFiles
    consent: Consent
    reach: Callable[[], AbstractAsyncContextManager[TransportStreams]]  # the server

    async def serve(self, client: TransportStreams) -> str:
        """Run one session; return which side ended it."""
        try:
            async with self.reach() as server:
                return await Relay(self.settings, self.guard, self.files, self.consent, client, server).run()
        except RemitError as error:
            self.settings.tell(f"{error.message} ({error.remedy})")
        except Exception as error:  # noqa: BLE001  the session ends; nothing was let through
            self.settings.tell(f"the session has ended: {_cause(error)}")
        return "server"


def run_stdio(proxy: Proxy) -> int:
    """Serve the client at standard input."""

    async def main() -> int:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_signal, tasks.cancel_scope)
            async with stdio_server() as client:
                ended = await proxy.serve(client)
                tasks.cancel_scope.cancel()
        return SERVER_ENDED if ended == "server" else 0

    return anyio.run(main)


def run_http(proxy: Proxy, listener: socket.socket) -> int:
    """Serve clients that connect to a port of this machine."""

    async def main() -> int:
        port = listener.getsockname()[1]
        async with anyio.create_task_group() as tasks:
            front = Front(allowed(port), proxy.serve, tasks)
            config = uvicorn.Config(front, lifespan="off", log_level="warning", server_header=False, access_log=False)
            proxy.settings.tell(f"listening at http://127.0.0.1:{port}{PATH}")
            await uvicorn.Server(config).serve([listener])
            tasks.cancel_scope.cancel()
        return 0

    return anyio.run(main)


def listen(port: int) -> socket.socket:
    """Listen at a port of this machine; 0: any."""
    listener = socket.socket(socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        raise GuardError(f"port {port} cannot be used: {error}", "name another with --listen") from None
    return listener


async def _until_signal(scope: anyio.CancelScope) -> None:
    """End as if the client had ended: the server must not outlive us."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            scope.cancel()
            return


def _cause(error: BaseException) -> str:
    """Return the first cause inside exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
