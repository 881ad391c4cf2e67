"""An HTTP client for one party, with a pool of connections. Anything but a plain success is an AuthorityError.

The parser is `httptools`. A connection on which anything went wrong is closed. A request is never sent twice, because
the client cannot know whether the party has seen the first one.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, NamedTuple, cast

import httptools

from remit.authority.wire.address import Address, Certificates, Peers, asking_context, peer_fault
from remit.core import telemetry
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    import ssl


_MOST = 64 * 1024 * 1024  # bytes of an answer
_SECONDS = 15.0
_CONNECT = 5.0  # of these for a connection: another party may be asked in place of this one
_IDLE = 32  # connections that are kept
_FRESH = 300  # seconds that an idle one is kept: half of what servers wait before they close it
OK = 200
_RUNS = "see that it runs: `remit up --status`, or `remit deploy FOLDER --status`"


class NotReachedError(AuthorityError):
    """A request that was not sent: the party has not seen it."""


class Response(NamedTuple):
    """A response."""

    status: int
    body: bytes


class _Connection(asyncio.Protocol):
    """One connection, with one request at a time. It receives the events of the parser."""

    def __init__(self) -> None:
        self.used = time.monotonic()
        self.lasting = False  # whether another request may follow
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._answer: asyncio.Future[Response] | None = None
        self._status, self._size = 0, 0
        self._parts: list[bytes] = []

    async def ask(self, data: bytes) -> Response:
        """Send a request, and return the response."""
        if self._transport is None or self._transport.is_closing():
            raise EOFError
        self.lasting = False
        self._answer = asyncio.get_running_loop().create_future()
        self._parts, self._size = [], 0
        self._transport.write(data)
        return await self._answer

    def close(self) -> None:
        """Close the connection."""
        self.lasting = False
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # a connection of another event loop cannot be used

    def data_received(self, data: bytes) -> None:
        self._size += len(data)
        if self._answer is None or self._size > _MOST:
            self.close()
            self._fail(EOFError())
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self.close()
            self._fail(error)

    def connection_lost(self, error: Exception | None) -> None:
        self.lasting = False
        self._fail(error or EOFError())

    def on_headers_complete(self) -> None:
        self._status, self.lasting = self._parser.get_status_code(), self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        self._parts.append(body)

    def on_message_complete(self) -> None:
        answer, self._answer, self.used = self._answer, None, time.monotonic()
        if answer is not None and not answer.done():
            answer.set_result(Response(self._status, b"".join(self._parts)))
        else:  # an answer that no request waits for
            self.close()

    def _fail(self, error: Exception) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_exception(error)


class Client:
    """A client for one party; over TLS the party must have a certificate for its name."""

    def __init__(self, name: str, address: Address, files: Certificates | None, seconds: float = _SECONDS) -> None:
        if not address.path and files is None:
            raise AuthorityError(f"there are no certificates for {name}", "name them in the settings")
        self._name = name
        self._address = address
        self._seconds = seconds
        self._party = Peers(names=frozenset({name}))
        self._tls: ssl.SSLContext | None = asking_context(files) if files is not None and not address.path else None
        self._idle: list[_Connection] = []

    async def post(self, path: str, body: bytes) -> bytes:
        """Return the body of the response; AuthorityError with the party's code if it refuses or does not answer."""
        status, told = await self.ask(path, body)
        if status != OK:
            raise AuthorityError(*_refusal(self._name, status, told))
        return told

    async def ask(self, path: str, body: bytes, headers: str = "") -> Response:
        """Return status and body, whatever they are; AuthorityError if there is no response. `headers`: whole lines."""
        host = self._address.host or "party"
        head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\n{headers}content-length: {len(body)}\r\n\r\n".encode()
        try:
            with telemetry.span("remit.ask") as span:
                span.note(party=self._name, path=path)
                told, link = await self._asked(head + body)
        except (OSError, EOFError, TimeoutError, httptools.HttpParserError) as error:
            raise AuthorityError(f"{self._name} does not answer: {type(error).__name__}", _RUNS) from None
        if link.lasting and len(self._idle) < _IDLE:
            self._idle.append(link)
        else:
            link.close()
        return told

    async def _asked(self, data: bytes) -> tuple[Response, _Connection]:
        """Return the response, and its connection."""
        async with asyncio.timeout(self._seconds):
            try:
                async with asyncio.timeout(_CONNECT):
                    link = await self._connection()
            except (OSError, TimeoutError) as error:
                raise NotReachedError(f"{self._name} does not answer: {type(error).__name__}", _RUNS) from None
            try:
                return await link.ask(data), link
            except BaseException:
                link.close()
                raise

    async def close(self) -> None:
        """Close all connections."""
        while self._idle:
            self._idle.pop().close()

    async def _connection(self) -> _Connection:
        while self._idle:
            link = self._idle.pop()
            if link.lasting and time.monotonic() - link.used < _FRESH:
                return link
            link.close()
        loop = asyncio.get_running_loop()
        if self._address.path:
            return (await loop.create_unix_connection(_Connection, self._address.path))[1]
        at = (self._address.host, self._address.port)
        transport, link = await loop.create_connection(_Connection, *at, ssl=self._tls)
        # a certificate for the host is not enough: another party may run there too
        if fault := peer_fault(self._party, transport.get_extra_info("socket"), transport.get_extra_info("peercert")):
            link.close()
            raise ConnectionError(fault)
        return link


def _refusal(name: str, status: int, told: bytes) -> tuple[str, str]:
    try:
        value = json.loads(told)
        return str(value["message"]), str(value["remedy"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return f"{name} refused (HTTP {status})", "see its log"
