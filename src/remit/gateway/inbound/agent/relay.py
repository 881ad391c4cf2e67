"""The model's endpoint, lent to clients in capsules: on loopback, by a token of the turn, without the key, for the one model that is set."""

from __future__ import annotations

import json
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from remit.authority.wire.bodies import read_body
from remit.core.errors import RemitError
from remit.gateway.inbound.agent.dialects import DIALECTS
from remit.gateway.inbound.agent.endpoint import Endpoint

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request

    from remit.gateway.inbound.settings.values import ModelSettings

PATHS = {"anthropic": ("/messages", "/messages/count_tokens"), "openai": ("/responses", "/chat/completions")}
_HANDED_ON = ("content-type", "accept", "anthropic-version", "anthropic-beta")
_BACK = ("content-type", "retry-after", "request-id", "x-request-id")
_MOST = 64 * 1024 * 1024  # bytes of a question


class Relay:
    """See above. `url`: where clients reach it, once it is served."""

    def __init__(self, settings: ModelSettings, endpoint: Endpoint | None = None) -> None:
        self.url = ""
        self.settings = settings
        self._endpoint = endpoint or Endpoint(settings.url)
        self._tokens: set[str] = set()

    @contextmanager
    def lent(self) -> Iterator[str]:
        """A token with which a client may ask for as long as its turn lasts."""
        token = secrets.token_urlsafe(24)
        self._tokens.add(token)
        try:
            yield token
        finally:
            self._tokens.discard(token)

    def app(self) -> Starlette:
        """The application."""
        paths = [f"/v1{path}" for path in PATHS[self.settings.speaks]]
        return Starlette(routes=[Route(path, self._ask, methods=["POST"]) for path in paths])

    async def _ask(self, request: Request) -> Response:
        shown = request.headers.get("x-api-key", "") or request.headers.get("authorization", "").removeprefix("Bearer ")
        if not any(secrets.compare_digest(shown.encode(), one.encode()) for one in self._tokens):
            return _refusal(401, "this turn is over")
        body = await read_body(request, _MOST)
        try:
            asked = None if body is None else json.loads(body)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return _refusal(400, "this is no question")
        asked["model"] = self.settings.name
        headers = {name: request.headers[name] for name in _HANDED_ON if name in request.headers}
        headers |= DIALECTS[self.settings.speaks].login(self.settings.key)
        return await self._handed_on(request, headers, json.dumps(asked).encode())

    async def _handed_on(self, request: Request, headers: dict[str, str], body: bytes) -> Response:
        asking = self._endpoint.ask(request.url.path.removeprefix("/v1"), headers, body, request.url.query)
        try:
            answer = await asking.__aenter__()
        except (httpx.HTTPError, RemitError) as error:
            return _refusal(502, f"the model does not answer: {type(error).__name__}")

        async def parts() -> AsyncIterator[bytes]:
            try:
                async for part in answer.aiter_bytes():
                    yield part
            finally:
                await asking.__aexit__(None, None, None)

        back = {name: answer.headers[name] for name in _BACK if name in answer.headers}
        return StreamingResponse(parts(), answer.status_code, back)

    async def close(self) -> None:
        """No more."""
        await self._endpoint.close()


def _refusal(status: int, message: str) -> Response:
    return JSONResponse({"type": "error", "error": {"type": "remit", "message": message}}, status)
