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
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.form import Sending, Went

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CONNECT, HEAD, BODY = 10.0, 30.0, 10.0  # seconds; together less than the time for which a piece is taken
MOST_ANSWER = 64 * 1024
MOST_PAUSE = 3600
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
    plain = parts.scheme == "http" and _here(parts.hostname or "")
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


async def post(
    client: httpx.AsyncClient,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    judge: Callable[[Answer], Sending],
) -> Sending:
    """See above. `judge`: what an answer of 2xx means."""
    all_headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Connection": "close",
        "Accept-Encoding": "identity",
    }
    try:
        request = client.build_request(
            "POST", url, content=body, headers=all_headers | dict(headers), timeout=httpx.Timeout(HEAD, connect=CONNECT)
        )
    except httpx.InvalidURL:
        return FAILED
    try:
        async with asyncio.timeout(CONNECT + HEAD):
            response = await client.send(request, stream=True, auth=None, follow_redirects=False)
    except _BEFORE:  # (1)
        return FAILED
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):  # (2)
        return UNKNOWN
    try:
        return _judged(
            Answer(response.status_code, response.headers.get("retry-after", ""), await _body(response)), judge
        )
    finally:
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


async def _body(response: httpx.Response) -> bytes:
    data = b""
    try:
        async with asyncio.timeout(BODY):
            async for chunk in response.aiter_raw():
                data += chunk
                if len(data) > MOST_ANSWER:
                    return b""
    except (httpx.HTTPError, httpx.StreamError, TimeoutError, OSError):
        return b""
    return data


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
