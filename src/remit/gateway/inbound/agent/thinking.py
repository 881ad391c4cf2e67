"""Asks an endpoint of models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx

from remit.core.errors import AuthorityError, UsageError
from remit.gateway.inbound.agent.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.gateway.inbound.agent.talk import Said, Talk
    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.settings.values import ModelSettings

_SECONDS = 120.0
_MOST = 8 * 1024 * 1024  # bytes of an answer


class Thinker:
    """One endpoint."""

    def __init__(self, settings: ModelSettings) -> None:
        if not settings.url or not settings.name:
            raise UsageError("no model is set", "set `url` and `name` under [model]")
        self._settings = settings
        self._dialect = DIALECTS[settings.speaks]
        self._http = httpx.AsyncClient(base_url=settings.url, timeout=_SECONDS, trust_env=False)

    async def think(self, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Said:
        """What the agent says next; AuthorityError if there is no answer."""
        question = self._dialect.asked(self._settings.name, self._settings.key, prompt, talk, tools)
        try:
            async with self._http.stream("POST", question.path, headers=question.headers, json=question.body) as answer:
                body = b""
                async for part in answer.aiter_bytes():
                    body += part
                    if len(body) > _MOST:
                        raise AuthorityError("the model's answer is too long", "ask for less")
                if answer.status_code != httpx.codes.OK:
                    raise AuthorityError(f"the model answers with HTTP {answer.status_code}", "look at [model]")
                told: Any = json.loads(body)
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise AuthorityError(f"the model does not answer: {type(error).__name__}", "look at [model]") from None
        return self._dialect.heard(told)

    async def close(self) -> None:
        """No more."""
        await self._http.aclose()
