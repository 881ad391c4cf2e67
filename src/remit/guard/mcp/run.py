"""The proxy process: clients at standard input or at a port, a server that is a program or a URL.

Over HTTP only programs of this machine are served, never a web page, and each session has a server of its own.
"""

from __future__ import annotations

import contextlib
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import mcp_types as types
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.transport_security import (
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from remit.core.errors import GuardError, RemitError
from remit.guard.mcp.relay import Relay

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from anyio.abc import TaskGroup, TaskStatus
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage
    from starlette.types import Receive, Scope, Send

    from remit.guard.daemon.daemon_client import Daemon
    from remit.guard.mcp.consent import Consent
    from remit.guard.mcp.pins import PinFiles
    from remit.guard.mcp.settings import Settings

    Serve = Callable[[TransportStreams], Awaitable[object]]


PATH = "/mcp"
MOST_SESSIONS = 64
_IDLE = 1800.0  # seconds without a request until a session ends
_LARGEST = 4 * 1024 * 1024  # bytes of a request
_SESSION = "mcp-session-id"
_VERSION = "mcp-protocol-version"


def allowed(port: int) -> TransportSecuritySettings:
    """Return which requests are accepted: those for this machine, and from no page of another origin."""
    hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])


class Front:
    """The web application. `serve` runs one session."""

    def __init__(self, security: TransportSecuritySettings, serve: Serve, tasks: TaskGroup) -> None:
        self._settings = security
        self._security = TransportSecurityMiddleware(security)
        self._serve = serve
        self._tasks = tasks
        self._sessions: dict[str, StreamableHTTPServerTransport] = {}
        self._bounded = RequestBodyLimitMiddleware(self._request, _LARGEST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._bounded(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        problem = await self._problem(request)
        if problem is not None:
            await problem(scope, receive, send)
            return
        name = request.headers.get(_SESSION)
        if name is None:
            await self._begin(scope, receive, send)
            return
        transport = self._sessions.get(name)
        if transport is None:
            await _error(404, "there is no such session")(scope, receive, send)
            return
        await transport.handle_request(scope, receive, send)

    async def _problem(self, request: Request) -> Response | None:
        if request.url.path != PATH:
            return _error(404, f"there is nothing but {PATH}")
        refused = await self._security.validate_request(request, is_post=request.method == "POST")
        if refused is not None:
            return refused
        version = request.headers.get(_VERSION)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version[:40]}
            return _error(400, "not handed on", types.UNSUPPORTED_PROTOCOL_VERSION, data)
        return None

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._sessions) >= MOST_SESSIONS:
            await _error(503, "too many sessions")(scope, receive, send)
            return
        name = secrets.token_hex(32)
        transport = StreamableHTTPServerTransport(
            mcp_session_id=name, security_settings=self._settings, idle_timeout=_IDLE
        )
        self._sessions[name] = transport
        status: list[int] = []

        async def watched(message: Any) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])
            await send(message)

        try:
            await self._tasks.start(partial(self._session, name, transport))
            await transport.handle_request(scope, receive, watched)
        finally:
            if not status or status[0] >= 400:
                await self._forget(name, transport)

    async def _session(
        self, name: str, transport: StreamableHTTPServerTransport, *, task_status: TaskStatus[None]
    ) -> None:
        try:
            async with transport.connect() as (read, write):
                task_status.started()
                with transport.idle_scope or contextlib.nullcontext():
                    first = await anext(aiter(read), None)
                    if first is not None:  # a server is started for who begins a session, not for who knocks
                        await self._serve((_Behind(first, read), write))  # type: ignore[arg-type]
        except Exception:  # noqa: BLE001, S110  the client sees that its session has ended, and why on standard error
            pass
        finally:
            await self._forget(name, transport)

    async def _forget(self, name: str, transport: StreamableHTTPServerTransport) -> None:
        self._sessions.pop(name, None)
        if not transport.is_terminated:
            with anyio.CancelScope(shield=True):
                await transport.terminate()


class _Behind:
    """A stream with already received messages put back."""

    def __init__(self, first: SessionMessage | Exception, rest: Any) -> None:
        self._first = first
        self._rest = rest

    async def __aiter__(self) -> AsyncIterator[SessionMessage | Exception]:
        yield self._first
        async for item in self._rest:
            yield item


def _error(status: int, message: str, code: int = types.INVALID_REQUEST, data: Any = None) -> Response:
    error = {"code": code, "message": f"remit: {message}", **({} if data is None else {"data": data})}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, status)


SERVER_ENDED = 1


class Proxy(NamedTuple):
    """The configuration of a proxy."""

    settings: Settings
    guard: Daemon
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
