"""HTTP client for a model endpoint, with URL rules and retries."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from random import uniform

import httpx

from remit.core.errors import AuthorityError

BUSY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})  # the request was not answered and may be repeated
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before each further try
LONGEST_PAUSE = 60.0  # longest pause that an endpoint may request
_SECONDS = 300.0  # between two parts of an answer: a model may think before the first
_CONNECT = 20.0
_VERSION = re.compile(r"/v\d[0-9a-z]*(/|$)")
_ENDS = ("/messages", "/chat/completions", "/responses")


def address(url: str, path: str) -> str:
    """Return the URL of `path` (such as `/messages`) at an endpoint.

    The base URL may end in `/v1`, contain a version anywhere, end in the path itself, or none of these.
    """
    base = url.rstrip("/")
    for end in _ENDS:
        base = base.removesuffix(end)
    return base + ("" if _VERSION.search(httpx.URL(base).path) else "/v1") + path


class Endpoint:
    """One endpoint. A request has no effect there but its cost, so an unanswered request is repeated."""

    def __init__(self, url: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._url = url
        self._sleep = sleep
        self._http = httpx.AsyncClient(timeout=httpx.Timeout(_SECONDS, connect=_CONNECT), trust_env=False)

    @asynccontextmanager
    async def ask(
        self, path: str, headers: Mapping[str, str], body: bytes, query: str = ""
    ) -> AsyncIterator[httpx.Response]:
        """Yield the response, still to be read; httpx.HTTPError if there is none, AuthorityError if the URL is
        malformed.
        """
        try:
            where = httpx.URL(address(self._url, path), query=query.encode() or None)
        except httpx.InvalidURL:
            raise AuthorityError(f"`{self._url}` is no URL", "correct `url` under [model]") from None
        answer = await self._answered(where, headers, body)
        try:
            yield answer
        finally:
            await answer.aclose()

    async def _answered(self, where: httpx.URL, headers: Mapping[str, str], body: bytes) -> httpx.Response:
        for pause in PAUSES:
            try:
                answer = await self._sent(where, headers, body)
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.RemoteProtocolError, httpx.ReadError):
                await self._sleep(uniform(pause / 2, pause))  # noqa: S311  so that not all come back at once
                continue
            if answer.status_code not in BUSY:
                return answer
            await answer.aclose()
            await self._sleep(_asked_for(answer) or uniform(pause / 2, pause))  # noqa: S311
        return await self._sent(where, headers, body)

    async def _sent(self, where: httpx.URL, headers: Mapping[str, str], body: bytes) -> httpx.Response:
        request = self._http.build_request("POST", where, headers=dict(headers), content=body)
        return await self._http.send(request, stream=True)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _asked_for(answer: httpx.Response) -> float:
    """Return the pause that the endpoint requests in seconds; 0 if it requests none."""
    try:
        return min(max(float(answer.headers.get("retry-after", "")), 0.0), LONGEST_PAUSE)
    except ValueError:
        return 0.0
