"""Client that asks a model endpoint for an agent's next message."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import httpx

from remit.core.errors import AuthorityError, InputError, UsageError
from remit.gateway.inbound.agent.endpoint import Endpoint
from remit.gateway.inbound.agent.model_apis import DIALECTS

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.conversation import Said, Talk
    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.settings.values import ModelSettings

    Show = Callable[[str], Awaitable[None]]

_MOST = 8 * 1024 * 1024  # bytes of an answer
_STREAM = "text/event-stream"
_LOOK = "look at [model]"


async def show_nothing(_: str) -> None:
    """Ignore the partial answer: there is no viewer."""


class Thinker:
    """One endpoint with its format."""

    def __init__(self, settings: ModelSettings, endpoint: Endpoint | None = None) -> None:
        if not settings.url or not settings.name:
            raise UsageError("no model is set", "set `url` and `name` under [model]")
        self._settings = settings
        self._dialect = DIALECTS[settings.speaks]
        self._endpoint = endpoint or Endpoint(settings.url)

    async def think(self, prompt: str, talk: Talk, tools: Sequence[Tool], show: Show = show_nothing) -> Said:
        """Return the agent's next message; AuthorityError if there is no answer.

        `show` receives the partial text meanwhile.
        """
        question = self._dialect.asked(self._settings.name, self._settings.key, prompt, talk, tools)
        headers = {**question.headers, "content-type": "application/json", "accept": _STREAM}
        body = json.dumps({**question.body, "stream": True}, ensure_ascii=False, allow_nan=False).encode(
            "utf-8", "replace"
        )
        try:
            async with self._endpoint.ask(question.path, headers, body) as answer:
                if answer.status_code != httpx.codes.OK:
                    raise AuthorityError(f"the model answers with HTTP {answer.status_code}", _LOOK)
                if answer.headers.get("content-type", "").startswith(_STREAM):
                    told = await self._dialect.joined(_events(answer), show)
                else:  # some endpoints do not stream
                    told = json.loads(b"".join([part async for part in _parts(answer)]))
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise AuthorityError(f"the model does not answer: {type(error).__name__}", _LOOK) from None
        except (KeyError, TypeError, AttributeError, IndexError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None
        return self._dialect.heard(told)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()


async def _parts(answer: httpx.Response) -> AsyncIterator[bytes]:
    size = 0
    async for part in answer.aiter_bytes():
        size += len(part)
        if size > _MOST:
            raise AuthorityError("the model's answer is too long", "ask for less")
        yield part


async def _events(answer: httpx.Response) -> AsyncIterator[Any]:
    """Yield the data of server-sent events as JSON. A rest without a line end is no event."""
    rest, data = b"", b""
    async for part in _parts(answer):
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            plain = line.rstrip(b"\r")
            if plain.startswith(b"data:"):
                data += plain[5:].strip()
            elif not plain and data:
                if data != b"[DONE]":
                    yield json.loads(data)
                data = b""
