"""One side of the proxy, client or server: sending, requests, and pending answers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import ClientMessageMetadata, MessageMetadata, ServerMessageMetadata, SessionMessage

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

    Answer = types.JSONRPCResponse | types.JSONRPCError

VERSION_HEADER = "mcp-protocol-version"
CANCELLED = "notifications/cancelled"
REFUSED = -32003  # from the range that the protocol leaves to implementations
SEND_SECONDS = 10.0  # for a message whose answer is no longer awaited


class AnswerError(Exception):
    """A request that is answered with an error."""

    def __init__(self, message: str, code: int = types.INVALID_REQUEST, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data


class RefusedError(AnswerError):
    """A request that the guard, the user or a pin refuses."""

    def __init__(self, message: str) -> None:
        super().__init__(message, REFUSED)


class Peer:
    """One side. Our requests have numbers of our own, so that a side can only answer what we asked."""

    def __init__(self, name: str, streams: TransportStreams) -> None:
        self.name = name
        self.read, self._write = streams
        self.version = ""  # of the protocol, once agreed: a server behind HTTP wants it with each message
        self._numbers = count(1)
        self._waiting: dict[int | str, _Slot] = {}
        self._ended = False

    async def send(self, message: types.JSONRPCMessage, related: types.RequestId | None = None) -> None:
        """Send a message; `related` is the request of this side that it belongs to."""
        metadata: MessageMetadata = None
        if self.version:
            metadata = ClientMessageMetadata(headers={VERSION_HEADER: self.version})
        elif related is not None:
            metadata = ServerMessageMetadata(related_request_id=related)
        try:
            await self._write.send(SessionMessage(message, metadata))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise AnswerError(f"the {self.name} has ended", types.INTERNAL_ERROR) from None

    async def notify(self, method: str, params: dict[str, Any] | None, related: types.RequestId | None = None) -> bool:
        """Send a notification; False if the side does not take it in time, which must not block the rest."""
        fields = {} if params is None else {"params": params}
        with anyio.move_on_after(SEND_SECONDS) as scope:
            try:
                await self.send(types.JSONRPCNotification(jsonrpc="2.0", method=method, **fields), related)
            except AnswerError:
                return False
        return not scope.cancelled_caught

    async def ask(
        self,
        method: str,
        params: dict[str, Any] | None,
        seconds: float,
        *,
        related: types.RequestId | None = None,
        numbered: Callable[[int], None] | None = None,
    ) -> dict[str, Any]:
        """Return the answer to a request; AnswerError if it is an error, late, or the side has ended."""
        if self._ended:
            raise AnswerError(f"the {self.name} has ended", types.INTERNAL_ERROR)
        number, slot = next(self._numbers), _Slot()
        self._waiting[number] = slot
        if numbered is not None:
            numbered(number)
        fields = {} if params is None else {"params": params}
        try:
            with anyio.fail_after(seconds):
                await self.send(types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, **fields), related)
                await slot.filled.wait()
        except TimeoutError:
            await self.notify(CANCELLED, {"requestId": number, "reason": "no answer in time"}, related)
            raise AnswerError(
                f"the {self.name} did not answer within {seconds:g} seconds", types.INTERNAL_ERROR
            ) from None
        finally:
            self._waiting.pop(number, None)
        return slot.result(self.name)

    def take(self, answer: Answer) -> bool:
        """Deliver an answer to its request; False if none is pending."""
        slot = self._waiting.pop(answer.id, None) if type(answer.id) is int else None
        if slot is None:
            return False
        slot.fill(answer)
        return True

    def end(self) -> None:
        """End all pending requests: nothing more comes from this side."""
        self._ended = True
        for slot in self._waiting.values():
            slot.fill(None)


class _Slot:
    """A place for one pending answer."""

    def __init__(self) -> None:
        self.filled = anyio.Event()
        self._answer: Answer | None = None

    def fill(self, answer: Answer | None) -> None:
        self._answer = answer
        self.filled.set()

    def result(self, name: str) -> dict[str, Any]:
        match self._answer:
            case types.JSONRPCResponse(result=result):
                return result
            case types.JSONRPCError(error=error):
                raise AnswerError(error.message, error.code, error.data)
            case _:
                raise AnswerError(f"the {name} ended before it answered", types.INTERNAL_ERROR)
