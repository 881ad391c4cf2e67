"""What a channel is: the one interface between a platform and the gateway, whichever side opens the connection.

(1) something comes in: a request that the platform signed, or a frame on a connection that we opened     Received
(2) the inbox keeps all of its events; each has a stable name, so that one that comes again is not heard again
(3) only then the platform hears that we have it: by the reply, or by the connection's own acknowledgement
(4) answers go out with `send`, which also edits; `typing` says that one is on its way

Reading is a pure function of what came in: nothing is believed that the platform did not sign, or did not say on our own connection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery.life import Piece, Route
    from remit.gateway.inbound.ingress.event import Attachment, Event
    from remit.gateway.inbound.ingress.hear import Fate


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
    """What became of it, how long the platform wants to be left alone, and the platform's name for the message if it has one."""

    went: Went
    pause: int = 0
    message: str = ""


class Inbox(Protocol):
    """Where a connection puts what came in."""

    async def take(self, received: Received) -> Sequence[Fate]:
        """Keep all events, or count why there are none. On return they are on the disk: now the platform may hear that we have them."""

    async def position(self) -> str:
        """How far the channel has come, as it was kept last; empty at first."""

    async def move(self, position: str) -> None:
        """Keep how far the channel has come: everything up to there is kept."""

    def connected(self, warning: str = "") -> None:
        """The connection stands. `warning`: what will not work, and what to do."""


class Connection(Protocol):
    """What we open to a platform, in the place of requests that it sends."""

    async def run(self, inbox: Inbox) -> None:
        """Until it ends or fails; it is opened again, later and later."""


class Channel(Protocol):
    """One platform, with one account of ours."""

    def receive(self, incoming: Incoming) -> Received:
        """What a request was."""

    def connection(self) -> Connection | None:
        """What we open; None where the platform calls us."""

    async def send(self, piece: Piece) -> Sending:
        """Send one piece, or put it in the place of a message of ours."""

    async def typing(self, route: Route) -> None:
        """Show that an answer is on its way, where the platform can; a failure changes nothing."""

    async def fetch(self, file: Attachment, write: Callable[[bytes], None]) -> None:
        """Give an attached file to `write`, as it comes; MediaError if the platform does not give it."""


@runtime_checkable
class Showing(Protocol):
    """A channel that shows an answer while it is made by other means than by messages that it edits. Nothing of it is kept."""

    async def show(self, route: Route, trace: str, text: str) -> None:
        """The answer so far; it never raises."""
