"""The interface between a platform and the gateway, whichever side opens the connection.

(1) something arrives: a request signed by the platform, or a frame on a connection that we opened     Received
(2) the inbox (connections.py) stores all its events; each has a stable name, so a repeated one is ignored
(3) only then it is acknowledged: by the reply, or by the connection's own acknowledgement
(4) `send` sends and edits answers; `typing` shows that one is coming

Parsing is a pure function of the data. Nothing is trusted that the platform did not sign or send on our own connection.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.core.errors import AuthorityError
from remit.gateway.inbound.channels.quarantine import MediaError

if TYPE_CHECKING:
    from remit.gateway.inbound.channels.connections import ChannelInbox
    from remit.gateway.inbound.delivery import Piece, Route
    from remit.gateway.inbound.events import Attachment, Event


OPERATOR_PAUSE = 300.0  # seconds, if the operator must change something


class ChannelError(AuthorityError):
    """A platform refused a connection.

    `pause`: the pause that it requests; `operator`: the operator must change something first.
    """

    def __init__(self, message: str, remedy: str = "", *, pause: float = 0, operator: bool = False) -> None:
        super().__init__(message, remedy)
        self.pause = OPERATOR_PAUSE if operator else pause


class Incoming(NamedTuple):
    """A request as received: all headers in order, names in lower case, and the body as signed."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    now: int

    def header(self, name: str) -> tuple[str, ...]:
        """Return all values of a header, so that a duplicate is noticed."""
        return tuple(value for key, value in self.headers if key == name)


class Reply(NamedTuple):
    """The HTTP reply to the platform. An event is acknowledged only after it is stored."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/plain"


class Received(NamedTuple):
    """The result of parsing: events, and the reply once they are stored. A refused request has no events."""

    events: tuple[Event, ...] = ()
    reply: Reply = Reply()
    refused: str = ""  # reason code


class SendResult(StrEnum):
    """The outcome of a sending."""

    SENT = "sent"
    FAILED = "failed"  # certainly not sent
    UNKNOWN = "unknown"


class Sending(NamedTuple):
    """The outcome, the pause that the platform requests, and the platform's id of the message if there is one."""

    went: SendResult
    pause: int = 0
    message: str = ""


Connection: TypeAlias = (
    "Callable[[ChannelInbox], Awaitable[None]]"  # runs until it ends or fails, and is then opened again
)


class Channel:
    """One platform with one account. What is not overridden, the platform does not have."""

    def receive(self, incoming: Incoming) -> Received:  # noqa: ARG002
        """Verify and parse a request."""
        return Received(reply=Reply(404), refused="NO_SUCH_WAY")

    def connection(self) -> Connection | None:
        """Return what keeps a connection to the platform open; None if the platform calls us."""
        return None

    @abstractmethod
    async def send(self, piece: Piece) -> Sending:
        """Send one piece, or replace an earlier message with it."""

    async def typing(self, route: Route) -> None:
        """Show a typing indicator; failures are ignored."""

    async def show(self, route: Route, trace: str, text: str) -> None:
        """Show a partial answer without editing messages; it is not stored. Never raises."""

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:  # noqa: ARG002
        """Pass an attached file to `write` in chunks; MediaError if the platform refuses it."""
        raise MediaError(f"`{file.source}` is no file of this channel")
