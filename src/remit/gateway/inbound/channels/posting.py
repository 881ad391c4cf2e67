"""One request to a platform, sent at most once, and what became of it.

(1) what fails before a connection stands has not gone out            FAILED
(2) from then on the platform may have it, whatever happens           UNKNOWN, until it answers
(3) an answer of 4xx is a refusal: nothing was done                   FAILED, with the pause that it asks for
(4) an answer of 2xx is judged by the platform's own form             SENT
    and every other answer leaves it open                             UNKNOWN

Redirects are not followed: what is said goes to the address that the operator set. A connection is used for one request, so that none
is lost because the other end was about to close it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.form import Sending, Went
from remit.gateway.inbound.channels.quarantine import MediaError

CONNECT, HEAD, BODY = 10.0, 30.0, 10.0  # seconds; together less than the time for which a piece is taken
MOST_ANSWER = 64 * 1024
MOST_PAUSE = 3600
MOST_WAIT = 30.0  # seconds for which a sending waits; longer, and it is tried again later
LOAD = 60.0  # seconds for a file
FAILED, UNKNOWN, SENT = Sending(Went.FAILED), Sending(Went.UNKNOWN), Sending(Went.SENT)
_BEFORE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_TOKEN = re.compile(r"[\x21-\x7e]{0,4096}")


class Answer(NamedTuple):
    """What the platform said. A body that is too long, or broke off, is empty."""

    status: int
    retry_after: str
    body: bytes

    def json(self) -> dict[str, Any]:
        """The object in its body; empty if there is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def new_client() -> httpx.AsyncClient:
    """What requests are sent with: nothing of the environment counts, and no address is written to a log, for one may hold a token."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(trust_env=False, follow_redirects=False)


def address(told: str, usual: str) -> str:
    """Where a platform is reached, without a slash at its end: by https, or on this machine."""
    parts = urlsplit(told or usual)
    plain = parts.scheme == "http" and is_here(parts.hostname or "")
    if (parts.scheme != "https" and not plain) or not parts.hostname:
        raise UsageError(f"`{told}` is neither https nor on this machine", "write https://HOST/PATH under `api`")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError("an `api` has no user, no question and no mark in it", "write https://HOST/PATH")
    return (told or usual).rstrip("/")


def token(told: str) -> str:
    """A token, which must be of characters that a header can carry."""
    if not _TOKEN.fullmatch(told):
        raise UsageError("a token has blanks or other signs in it", "see the file under `token_file`")
    return told


class Pause:
    """How long a platform wants to be left alone by one of our accounts, whatever is to be said and to whom."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self, seconds: float) -> None:
        """From now on."""
        self._until = max(self._until, time.monotonic() + min(seconds, MOST_PAUSE))

    async def over(self) -> int:
        """Wait for it if it is short; the seconds that are left otherwise."""
        left = self._until - time.monotonic()
        if left > MOST_WAIT:
            return math.ceil(left)
        await asyncio.sleep(max(0.0, left))
        return 0


async def post(
    client: httpx.AsyncClient,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    judge: Callable[[Answer], Sending],
    pause: Pause,
    method: str = "POST",
) -> Sending:
    """See above. `judge`: what an answer of 2xx means; `pause`: of the account."""
    if left := await pause.over():
        return Sending(Went.FAILED, left)
    try:
        response = await _begun(client, method, url, body, headers, HEAD)
    except _BEFORE:  # (1)
        return FAILED
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):  # (2)
        return UNKNOWN
    try:
        answer = Answer(
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
) -> Answer:  # fmt: skip
    """A question that may be asked again: by POST, or by GET without a body. What breaks is the error of the connection."""
    response = await _begun(client, "GET" if body is None else "POST", url, body, headers, seconds)
    try:
        return Answer(response.status_code, response.headers.get("retry-after", ""), await _body(response, most))
    finally:
        await _ended(response)


def same_place(url: str, api: str, hosts: tuple[str, ...]) -> bool:
    """Whether a file lies with the platform: with one of its hosts by https, or where `api` is, if that is on this machine."""
    parts, ours = urlsplit(url), urlsplit(api)
    if ours.scheme == "http" and is_here(ours.hostname or ""):
        return (parts.scheme, parts.netloc) == (ours.scheme, ours.netloc)
    return parts.scheme == "https" and parts.netloc in hosts


async def load(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], write: Callable[[bytes], None]) -> None:
    """A file, as it comes; MediaError if the platform does not give it."""
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
    """A request, until its answer begins."""
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
    with suppress(httpx.HTTPError, OSError):  # it has answered: how the connection ends changes nothing
        await response.aclose()


def _judged(answer: Answer, judge: Callable[[Answer], Sending]) -> Sending:
    if 400 <= answer.status < 500:  # (3)
        return Sending(Went.FAILED, pause_of(answer) if answer.status == 429 else 0)
    return judge(answer) if 200 <= answer.status < 300 else UNKNOWN  # (4)


def pause_of(answer: Answer) -> int:
    """For how long the platform wants to be left alone: as a header, in the answer, or among its parameters."""
    value = answer.json()
    inner = value.get("parameters")
    told = (answer.retry_after, value.get("retry_after"), inner.get("retry_after") if isinstance(inner, dict) else None)
    return max(map(_seconds, told))


def by_status(_: Answer) -> Sending:
    """For platforms that say with 2xx that they have it."""
    return SENT


def _seconds(told: Any) -> int:
    try:
        value = float(told)
    except (TypeError, ValueError, OverflowError):  # a date, or nothing: then the pause of the delivery counts
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
    """Whether a name is this machine's."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
