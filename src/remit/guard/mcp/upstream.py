"""A server at a URL: TLS is verified, no proxy or credential of the environment is used, redirects stay on the host."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
from mcp.client.streamable_http import streamable_http_client

from remit.core.errors import UsageError
from remit.guard.mcp.server_process import LARGEST_LINE

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_SECONDS = 30.0  # to connect, and to send
_READ = 600.0  # between two events


def checked_url(url: str) -> str:
    """Check that a URL reliably leads to the server: https, or http on this machine."""
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError):
        raise UsageError(f"`{url}` is no address", "write https://HOST/PATH") from None
    if parsed.userinfo:
        raise UsageError("an address with a password in it would be logged", "give it with --header")
    if parsed.scheme != "https" and not (parsed.scheme == "http" and is_loopback(parsed.host)):
        raise UsageError(f"`{url}` is neither https nor on this machine", "write https://HOST/PATH")
    return url


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, regardless of name resolution."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Bounded(httpx2.AsyncBaseTransport):
    """Reads answers that are not event streams as a whole, so they must be small."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=True, trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _BoundedStream(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._inner:
            size += len(part)
            if size > LARGEST_LINE:
                raise httpx2.ReadError(f"an answer of more than {LARGEST_LINE} bytes")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def upstream(url: str, headers: Mapping[str, str]) -> AsyncIterator[TransportStreams]:
    """Connect to a server. It gets the given headers and those of the protocol."""
    timeout = httpx2.Timeout(_SECONDS, read=_READ)
    async with (
        httpx2.AsyncClient(
            headers={**headers, "user-agent": "remit"},
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
            transport=_Bounded(),
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=LARGEST_LINE) as streams,
    ):
        yield streams
