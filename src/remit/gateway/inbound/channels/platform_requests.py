"""One request to a platform, sent at most once, and its outcome.

(1) an error before the connection is established             FAILED, nothing was sent
(2) from then on the platform may have received it            UNKNOWN, until it answers
(3) a 4xx answer is a refusal                                 FAILED, with the pause that it requests
(4) a 2xx answer is judged by the platform's format           SENT
    any other answer leaves it open                           UNKNOWN

Redirects are not followed: messages go only to the address that the operator set. Each connection carries one request,
so that none is lost because the other end was closing it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import math
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.interface import Channel, Incoming, Received, Sending, SendResult
from remit.gateway.inbound.channels.parsing import judged
from remit.gateway.inbound.channels.quarantine import MediaError

if TYPE_CHECKING:
    from remit.gateway.inbound.settings.values import ChannelSettings as Settings

CONNECT, HEAD, BODY = 10.0, 30.0, 10.0  # seconds; together less than the lease of a piece
MOST_ANSWER = 64 * 1024
MOST_PAUSE = 3600
MOST_WAIT = 30.0  # seconds that a sending waits for a pause; with a longer one it is tried again later
LOAD = 60.0  # seconds for a file
FAILED, UNKNOWN, SENT = Sending(SendResult.FAILED), Sending(SendResult.UNKNOWN), Sending(SendResult.SENT)
_BEFORE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_TOKEN = re.compile(r"[\x21-\x7e]{0,4096}")


class PlatformAnswer(NamedTuple):
    """The platform's answer. A body that is too long or incomplete is empty."""

    status: int
    retry_after: str
    body: bytes

    def json(self) -> dict[str, Any]:
        """Return the JSON object in the body; empty if there is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def new_client() -> httpx.AsyncClient:
    """Return an HTTP client that ignores the environment and logs no URLs, which may contain a token."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(trust_env=False, follow_redirects=False)


def address(told: str, usual: str) -> str:
    """Return a platform's base URL without a trailing slash; it must use https or be on this machine."""
    parts = urlsplit(told or usual)
    plain = parts.scheme == "http" and is_here(parts.hostname or "")
    if (parts.scheme != "https" and not plain) or not parts.hostname:
        raise UsageError(f"`{told}` is neither https nor on this machine", "write https://HOST/PATH under `api`")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError("an `api` has no user, no question and no mark in it", "write https://HOST/PATH")
    return (told or usual).rstrip("/")


def token(told: str) -> str:
    """Check that a token can be sent in a header."""
    if not _TOKEN.fullmatch(told):
        raise UsageError("a token has blanks or other signs in it", "see the file under `token_file`")
    return told


class Pause:
    """A pause that a platform requested for one of our accounts, for all messages."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self, seconds: float) -> None:
        """Start or extend the pause."""
        self._until = max(self._until, time.monotonic() + min(seconds, MOST_PAUSE))

    async def over(self) -> int:
        """Wait for the end of a short pause; return the remaining seconds of a long one."""
        left = self._until - time.monotonic()
        if left > MOST_WAIT:
            return math.ceil(left)
        await asyncio.sleep(max(0.0, left))
        return 0


class PlatformChannel(Channel):
    """A channel to a platform with an HTTP API. `api`: its base URL."""

    def __init__(self, name: str, settings: Settings, client: httpx.AsyncClient, api: str) -> None:
        self.name, self.settings, self.client, self.api = name, settings, client, api
        self.pause = Pause()

    def receive(self, incoming: Incoming) -> Received:
        """Verify and parse a request, or return the refusal."""
        return judged(self._read, incoming)

    @abstractmethod
    def _read(self, incoming: Incoming) -> Received:
        """Verify and parse a request; RefusedError at the first fault."""


async def post(
    client: httpx.AsyncClient,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    judge: Callable[[PlatformAnswer], Sending],
    pause: Pause,
    method: str = "POST",
) -> Sending:
    """Send one request as described above. `judge`: reads a 2xx answer; `pause`: of the account."""
    if left := await pause.over():
        return Sending(SendResult.FAILED, left)
    try:
        response = await _begun(client, method, url, body, headers, HEAD)
    except _BEFORE:  # (1)
        return FAILED
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):  # (2)
        return UNKNOWN
    try:
        answer = PlatformAnswer(
            response.status_code, response.headers.get("retry-after", ""), await _body(response, MOST_ANSWER)
        )
    finally:
        await _ended(response)
    sending = _judged(answer, judge)
    pause.begin(sending.pause)
    return sending


async def ask(
    client: httpx.AsyncClient, url: str, body: bytes | None, headers: Mapping[str, str], *, seconds: float = HEAD,
    most: int = MOST_ANSWER,
) -> PlatformAnswer:  # fmt: skip
    """Send a repeatable request: POST, or GET without a body. Connection errors are raised."""
    response = await _begun(client, "GET" if body is None else "POST", url, body, headers, seconds)
    try:
        return PlatformAnswer(
            response.status_code, response.headers.get("retry-after", ""), await _body(response, most)
        )
    finally:
        await _ended(response)


def same_place(url: str, api: str, hosts: tuple[str, ...]) -> bool:
    """Return whether a file's URL belongs to the platform: https on one of its hosts, or the host of a local `api`."""
    parts, ours = urlsplit(url), urlsplit(api)
    if ours.scheme == "http" and is_here(ours.hostname or ""):
        return (parts.scheme, parts.netloc) == (ours.scheme, ours.netloc)
    return parts.scheme == "https" and parts.netloc in hosts


async def load(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], write: Callable[[bytes], None]) -> None:
    """Download a file in chunks; MediaError if the platform refuses it."""
    try:
        response = await _begun(client, "GET", url, None, headers, HEAD)
        try:
            if response.status_code != 200:
                raise MediaError(f"the platform does not give it ({response.status_code})")
            async with asyncio.timeout(LOAD):
                async for chunk in response.aiter_raw():
                    write(chunk)
        finally:
            await _ended(response)
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):
        raise MediaError("the connection to the platform broke") from None


async def _begun(
    client: httpx.AsyncClient, method: str, url: str, body: bytes | None, headers: Mapping[str, str], seconds: float
) -> httpx.Response:
    """Send a request and return when its response begins."""
    told = {} if body is None else {"Content-Type": "application/json; charset=utf-8"}
    told |= {"Connection": "close", "Accept-Encoding": "identity"}
    try:
        timeout = httpx.Timeout(seconds, connect=CONNECT)
        request = client.build_request(method, url, content=body, headers=told | dict(headers), timeout=timeout)
    except httpx.InvalidURL:
        raise httpx.UnsupportedProtocol("no address") from None
    async with asyncio.timeout(CONNECT + seconds):
        return await client.send(request, stream=True, auth=None, follow_redirects=False)


async def _ended(response: httpx.Response) -> None:
    with suppress(httpx.HTTPError, OSError):  # the response is complete: a late error changes nothing
        await response.aclose()


def _judged(answer: PlatformAnswer, judge: Callable[[PlatformAnswer], Sending]) -> Sending:
    if 400 <= answer.status < 500:  # (3)
        return Sending(SendResult.FAILED, pause_of(answer) if answer.status == 429 else 0)
    return judge(answer) if 200 <= answer.status < 300 else UNKNOWN  # (4)


def pause_of(answer: PlatformAnswer) -> int:
    """Return the pause that the platform requests in a header or in the JSON body."""
    value = answer.json()
    inner = value.get("parameters")
    told = (answer.retry_after, value.get("retry_after"), inner.get("retry_after") if isinstance(inner, dict) else None)
    return max(map(_seconds, told))


def by_status(_: PlatformAnswer) -> Sending:
    """Return SENT, for platforms that confirm with 2xx alone."""
    return SENT


def _seconds(told: Any) -> int:
    try:
        value = float(told)
    except (TypeError, ValueError, OverflowError):  # a date, or nothing: then the delivery's own pause applies
        return 0
    return math.ceil(min(max(value, 0), MOST_PAUSE)) if math.isfinite(value) else 0


async def _body(response: httpx.Response, most: int) -> bytes:
    data = b""
    try:
        async with asyncio.timeout(BODY):
            async for chunk in response.aiter_raw():
                data += chunk
                if len(data) > most:
                    return b""
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):
        return b""
    return data


def is_here(host: str) -> bool:
    """Return whether a host name is this machine's."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
