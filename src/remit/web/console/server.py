"""The console as a process: listens, prints its address, and serves until it is stopped."""

from __future__ import annotations

import socket as sockets
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from remit.core.errors import UsageError
from remit.web.console.app import Console, make_console
from remit.web.console.rendering import prepare
from remit.web.console.sessions import Sessions
from remit.web.console.settings import ConsoleSettings, checked

if TYPE_CHECKING:
    from remit.web.console.work import Work


async def serve(settings: ConsoleSettings, work: Work, tell: Callable[[str], None]) -> None:
    """Serve until stopped.

    `work`: does what pages must not do. `tell`: prints the login URL at the start and after each use.
    """
    checked(settings)
    with listen(settings) as listening:
        address = settings.url(listening.getsockname()[1])
        sessions = Sessions(lambda code: tell(f"{address}#{code}"))
        config = uvicorn.Config(
            make_console(Console(settings, sessions, work)), log_level="warning", proxy_headers=False, server_header=False,
            ws="none", timeout_graceful_shutdown=1, h11_max_incomplete_event_size=64 * 1024,
            ssl_certfile=settings.tls.certificate if settings.tls else None,
            ssl_keyfile=settings.tls.key if settings.tls else None,
        )  # fmt: skip
        prepare()
        sessions.new_code()
        await uvicorn.Server(config).serve([listening])


def listen(settings: ConsoleSettings) -> sockets.socket:
    """Return a listening socket. It is created as TCP explicitly: only then does asyncio set TCP_NODELAY."""
    family = sockets.AF_INET6 if ":" in settings.address else sockets.AF_INET
    listening = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
    try:
        listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        listening.bind((settings.address, settings.port))
        listening.listen(128)  # early clients wait; the address is printed before the server answers
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"it is not possible to listen at `{settings.address}`, port {settings.port}: {reason}",
            "give another with `--port`; 0 takes one that is free",
        ) from None
    return listening
