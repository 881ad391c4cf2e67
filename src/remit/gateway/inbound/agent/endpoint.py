"""An endpoint of models over HTTP: where its paths lie, and what is tried again while it is busy."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from random import uniform

import httpx

from remit.core.errors import AuthorityError

BUSY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})  # nothing was answered; the same question may be asked again
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before each further try
LONGEST_PAUSE = 60.0  # that an endpoint may ask for
_SECONDS = 300.0  # between two pieces of an answer: a model may think before the first
_CONNECT = 20.0
_VERSION = re.compile(r"/v\d[0-9a-z]*(/|$)")
_ENDS = ("/messages", "/chat/completions", "/responses")


def address(url: str, path: str) -> str:
    """Where `path` (`/messages`) lies at an endpoint. Its URL may end in `/v1`, name a version anywhere, name the path itself, or none of these."""
    base = url.rstrip("/")
    for end in _ENDS:
        base = base.removesuffix(end)
    return base + ("" if _VERSION.search(httpx.URL(base).path) else "/v1") + path


class Endpoint:
    """One endpoint. Asking has no effect there but its cost, so a question that was not answered is asked again."""

    def __init__(self, url: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._url = url
        self._sleep = sleep
        self._http = httpx.AsyncClient(timeout=httpx.Timeout(_SECONDS, connect=_CONNECT), trust_env=False)

    @asynccontextmanager
    async def ask(
        self, path: str, headers: Mapping[str, str], body: bytes, query: str = ""
    ) -> AsyncIterator[httpx.Response]:
        """The answer, still to be read; httpx.HTTPError if there is none, AuthorityError if the URL is none."""
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
        """No more."""
        await self._http.aclose()


def _asked_for(answer: httpx.Response) -> float:
    """The pause that the endpoint asks for; 0 if it asks for none."""
    try:
        return min(max(float(answer.headers.get("retry-after", "")), 0.0), LONGEST_PAUSE)
    except ValueError:
        return 0.0
