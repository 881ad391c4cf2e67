"""What a channel is. Receiving is a pure function of what came in: nothing is believed that the platform did not sign."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.life import Piece, Route
    from remit.gateway.inbound.ingress.event import Event


class Incoming(NamedTuple):
    """A request as it came: all headers in their order, with names in small letters, and the body as it was signed."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    now: int

    def header(self, name: str) -> tuple[str, ...]:
        """Every value of a header: one that stands twice is seen as such, and not the last of the two."""
        return tuple(value for key, value in self.headers if key == name)


class Reply(NamedTuple):
    """What the platform is answered. An event is acknowledged only after it is kept."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/plain"


class Received(NamedTuple):
    """What a request was: events, and the answer once they are kept. One that is refused has none."""

    events: tuple[Event, ...] = ()
    reply: Reply = Reply()
    refused: str = ""  # code of the reason


class Went(StrEnum):
    """What became of a sending."""

    SENT = "sent"
    FAILED = "failed"  # for certain nothing went out
    UNKNOWN = "unknown"


class Sending(NamedTuple):
    """What became of it, and how long the platform wants to be left alone."""

    went: Went
    pause: int = 0


class Channel(Protocol):
    """One platform, with one account of ours."""

    def receive(self, incoming: Incoming) -> Received:
        """What a request was."""

    async def send(self, piece: Piece) -> Sending:
        """Send one piece."""


@runtime_checkable
class Showing(Protocol):
    """A channel that can show an answer while it is made. What is shown is not kept, and the answer itself is sent in the end."""

    async def show(self, route: Route, trace: str, text: str) -> None:
        """The answer so far; it never raises."""
