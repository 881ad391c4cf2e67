"""Limits on connections, and on the time for a request.

(1) a request's head must be complete within `HEAD_SECONDS`, its body within `BODY_SECONDS`, however slowly data arrives
(2) at the limit, a connection without a complete request is closed for a new one: the oldest of the address with most of them
(3) if all are at work, a new one is refused

The limit is below the process's limit of open files, so that store, log and platforms can always be reached.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

HEAD_SECONDS = 10.0
BODY_SECONDS = 15.0
_KEPT = 128  # file descriptors for other uses


def most_of(wanted: int) -> int:
    """Return the maximum of connections: the wanted number, as far as the limit of open files allows."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(16, min(wanted, soft - _KEPT))


class ConnectionLimits:
    """The open connections. `sockets`: returns the number of upgraded ones, which count too."""

    def __init__(self, most: int, sockets: Callable[[], int] = lambda: 0) -> None:
        self.most = most
        self._sockets = sockets
        self._open: dict[Limited, None] = {}  # in order of arrival

    def came(self, new: Limited) -> bool:
        """Add a connection; return whether it may stay."""
        if len(self._open) + self._sockets() >= self.most and not self._give_way():
            return False
        self._open[new] = None
        return True

    def went(self, gone: Limited) -> None:
        """Remove a connection."""
        self._open.pop(gone, None)

    def _give_way(self) -> bool:
        idle = [one for one in self._open if one.unfinished]
        if not idle:
            return False
        ((most, _),) = Counter(one.address for one in idle).most_common(1)
        victim = next(one for one in idle if one.address == most)
        self.went(victim)
        victim.transport.abort()
        return True


class Limited(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """One connection: uvicorn's protocol with deadlines."""

    limits: ConnectionLimits
    _deadline: asyncio.TimerHandle | None = None
    _in_body = False
    _upgraded = False
    transport: asyncio.Transport

    @property
    def address(self) -> str:
        """The client's address."""
        return self.client[0] if self.client else ""

    @property
    def unfinished(self) -> bool:
        """Whether no complete request waits for its answer."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: Any) -> None:
        """Count the connection and start the deadline."""
        super().connection_made(transport)
        if self.limits.came(self):
            self._wait(HEAD_SECONDS)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self.limits.went(self)
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle data. The deadline for a head or a body starts once, not again with each byte."""
        super().data_received(data)
        if self._upgraded or not self.unfinished:
            self._wait(None)
            return
        in_body = self.cycle is not None and not self.cycle.response_complete
        if self._deadline is None or in_body != self._in_body:
            self._in_body = in_body
            self._wait(BODY_SECONDS if in_body else HEAD_SECONDS)

    def handle_websocket_upgrade(self, *args: Any) -> None:
        """Stop counting: a WebSocket has limits of its own (login.py)."""
        self._upgraded = True
        self.limits.went(self)
        super().handle_websocket_upgrade(*args)

    def _wait(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


def limited(limits: ConnectionLimits) -> type[Limited]:
    """Return the protocol class with these limits."""
    return type("LimitedConnection", (Limited,), {"limits": limits})
