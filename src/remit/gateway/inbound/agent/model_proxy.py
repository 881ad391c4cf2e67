"""Model proxy for clients in capsules: on loopback, with a token per turn, without the API key, for the configured
model only.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from remit.authority.wire.bodies import read_body
from remit.core.errors import RemitError
from remit.gateway.inbound.agent.model_client import DIALECTS, Endpoint

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.gateway.inbound.settings.values import ModelSettings

PATHS = {"anthropic": ("/messages", "/messages/count_tokens"), "openai": ("/responses", "/chat/completions")}
_HANDED_ON = ("content-type", "accept", "anthropic-version", "anthropic-beta")
_BACK = ("content-type", "retry-after", "request-id", "x-request-id")
_MOST = 64 * 1024 * 1024  # bytes of a request


class Relay:
    """The proxy. `url`: its address for clients, once it is served."""

    def __init__(self, settings: ModelSettings, endpoint: Endpoint | None = None) -> None:
        self.url = ""
        self.settings = settings
        self._endpoint = endpoint or Endpoint(settings.url)
        self._tokens: set[str] = set()

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Yield a token that is valid until the context ends, for one turn."""
        token = secrets.token_urlsafe(24)
        self._tokens.add(token)
        try:
            yield token
        finally:
            self._tokens.discard(token)

    def app(self) -> Starlette:
        """Return the application."""
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
        if _names_addresses(asked.get("messages")) or _names_addresses(asked.get("input")):
            return _refusal(400, "the provider of the model opens no addresses for an agent")
        asked = _without_provider_tools(asked) | {"model": self.settings.name}
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
        """Close the connections."""
        await self._endpoint.close()


def _refusal(status: int, message: str) -> Response:
    return JSONResponse({"type": "error", "error": {"type": "remit", "message": message}}, status)


# With these the provider would reach other hosts with the agent's data, past the policy: tool servers, its search,
# stored prompts.
_OF_THE_PROVIDER = frozenset({"mcp_servers", "container", "background", "prompt"})
_RUN_BY_THE_CLIENT = frozenset({"custom", "function", "local_shell", "namespace"})
_ADDRESSES = frozenset({"image_url", "file_url", "server_url", "url"})


def _without_provider_tools(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a request with only the tools that the client runs itself."""
    kept = {name: value for name, value in asked.items() if name not in _OF_THE_PROVIDER}
    if isinstance(tools := kept.get("tools"), list):
        kept["tools"] = [
            one for one in tools if isinstance(one, dict) and str(one.get("type", "custom")) in _RUN_BY_THE_CLIENT
        ]
    return kept


def _names_addresses(messages: Any) -> bool:
    """Return whether a content block contains a URL that the provider would fetch, such as an image or a document."""
    blocks = [one.get("content") for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    while blocks:
        block = blocks.pop()
        if isinstance(block, list):
            blocks += block
        elif isinstance(block, dict):
            source = block.get("source")
            named = [block.get(name) for name in _ADDRESSES] + [source.get("url") if isinstance(source, dict) else None]
            named = [one.get("url") if isinstance(one, dict) else one for one in named]
            if any(isinstance(one, str) and one.lower().startswith(("http:", "https:")) for one in named):
                return True
            blocks.append(block.get("content"))
    return False
