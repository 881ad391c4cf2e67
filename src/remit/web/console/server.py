"""The console as a process: it listens, tells where, and serves until it is stopped."""

from __future__ import annotations

import socket as sockets
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from remit.core.errors import UsageError
from remit.web.console.app import Console, make_console
from remit.web.console.rendering import prepare
from remit.web.console.sessions import Sessions
from remit.web.console.settings import Settings, checked

if TYPE_CHECKING:
    from remit.web.console.work import Work


async def serve(settings: Settings, work: Work, tell: Callable[[str], None]) -> None:
    """Serve until stopped. `work` does what pages do not; `tell` is given the address that lets a browser in: at first, and again whenever one was used."""
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


def listen(settings: Settings) -> sockets.socket:
    """A socket that listens where the settings say. It says that it is TCP: only then does asyncio send each answer at once."""
    family = sockets.AF_INET6 if ":" in settings.address else sockets.AF_INET
    listening = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
    try:
        listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        listening.bind((settings.address, settings.port))
        listening.listen(128)  # whoever is quick waits; the address is told before the first answer can be given
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"it is not possible to listen at `{settings.address}`, port {settings.port}: {reason}",
            "give another with `--port`; 0 takes one that is free",
        ) from None
    return listening
