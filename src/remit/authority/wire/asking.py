"""A client that speaks with one party over lasting connections. What is not a plain success is an AuthorityError.

The parser is that of `httptools`; all that is added is a pool of connections. A connection on which anything went wrong is closed.
A request is never sent twice: whether the party has seen it is not known.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import httptools

from remit.authority.wire.address import Peers, asking_context, peer_fault
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    import ssl

    from remit.authority.wire.address import Address, Certificates

_MOST = 64 * 1024 * 1024  # bytes of an answer
_SECONDS = 15.0
_IDLE = 32  # connections that are kept
_OK = 200


class _Answer:
    """Takes what the parser finds."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.whole = False

    def on_body(self, body: bytes) -> None:
        self.parts.append(body)

    def on_message_complete(self) -> None:
        self.whole = True


class Client:
    """One party, as another sees it; over TLS it must have a certificate of its name."""

    def __init__(self, name: str, address: Address, files: Certificates | None) -> None:
        if not address.path and files is None:
            raise AuthorityError(f"there are no certificates for {name}", "name them in the settings")
        self._name = name
        self._address = address
        self._party = Peers(names=frozenset({name}))
        self._tls: ssl.SSLContext | None = asking_context(files) if files is not None and not address.path else None
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: bytes) -> bytes:
        """What the party answers; AuthorityError with its code if it refuses, or does not answer."""
        host = self._address.host or "party"
        head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
        try:
            async with asyncio.timeout(_SECONDS):
                reader, writer = await self._connection()
                try:
                    writer.write(head + body)
                    status, told, lasting = await _answer(reader)
                except BaseException:
                    writer.close()
                    raise
        except (OSError, EOFError, TimeoutError, httptools.HttpParserError) as error:
            message = f"{self._name} does not answer: {type(error).__name__}"
            raise AuthorityError(message, "see that it runs: `remit status`") from None
        if lasting and len(self._idle) < _IDLE:
            self._idle.append((reader, writer))
        else:
            writer.close()
        if status != _OK:
            raise AuthorityError(*_refusal(self._name, status, told))
        return told

    async def close(self) -> None:
        """Close its connections."""
        while self._idle:
            self._idle.pop()[1].close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        if self._address.path:
            return await asyncio.open_unix_connection(self._address.path)
        reader, writer = await asyncio.open_connection(self._address.host, self._address.port, ssl=self._tls)
        # a certificate for the host is not enough: another party may run there too
        if fault := peer_fault(self._party, writer.get_extra_info("socket"), writer.get_extra_info("peercert")):
            writer.close()
            raise ConnectionError(fault)
        return reader, writer


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes, bool]:
    """Status, body, and whether the connection can be used again."""
    answer = _Answer()
    parser = httptools.HttpResponseParser(answer)
    size = 0
    while not answer.whole:
        data = await reader.read(65536)
        size += len(data)
        if not data or size > _MOST:
            raise EOFError
        parser.feed_data(data)
    return parser.get_status_code(), b"".join(answer.parts), parser.should_keep_alive()


def _refusal(name: str, status: int, told: bytes) -> tuple[str, str]:
    try:
        value = json.loads(told)
        return str(value["message"]), str(value["remedy"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return f"{name} refused (HTTP {status})", "see its log"
