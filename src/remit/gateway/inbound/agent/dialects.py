"""What endpoints of models are sent, and what they answer. What is not understood is an error, never an empty answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import InputError
from remit.gateway.inbound.agent.talk import By, Call, Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.gateway.inbound.agent.talk import Talk
    from remit.gateway.inbound.agent.tools import Tool

MOST_TOKENS = 4096
_MOST_CALLS = 32  # of one answer


class Question(NamedTuple):
    """What is sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Dialect(Protocol):
    """How one kind of endpoint is spoken with."""

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """What is sent."""

    def heard(self, told: Any) -> Said:
        """What was answered; InputError if it is in another form."""


class Anthropic:
    """Messages."""

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """What is sent."""
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": MOST_TOKENS,
            "messages": [{"role": _role(one), "content": self._blocks(one)} for one in talk.said],
        }
        if prompt:
            body["system"] = prompt
        if tools:
            body["tools"] = [
                {"name": one.name, "description": one.about, "input_schema": one.schema()} for one in tools
            ]
        return Question("/v1/messages", {"x-api-key": key, "anthropic-version": "2023-06-01"}, body)

    def heard(self, told: Any) -> Said:
        """What was answered."""
        try:
            blocks = told["content"]
            text = "".join(_text(one["text"]) for one in blocks if one["type"] == "text")
            used = [one for one in blocks if one["type"] == "tool_use"]
            return _said(text, [(one["id"], one["name"], json.dumps(one["input"])) for one in used])
        except (KeyError, TypeError, ValueError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    def _blocks(self, said: Said) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
        blocks += [
            {"type": "tool_use", "id": one.id, "name": one.tool, "input": json.loads(one.arguments or "{}")}
            for one in said.calls
        ]
        return blocks + [{"type": "tool_result", "tool_use_id": one.id, "content": one.text} for one in said.results]


class OpenAI:
    """Chat completions."""

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """What is sent."""
        messages: list[dict[str, Any]] = [{"role": "system", "content": prompt}] if prompt else []
        for one in talk.said:
            messages += self._messages(one)
        body: dict[str, Any] = {"model": model, "max_tokens": MOST_TOKENS, "messages": messages}
        if tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": one.name, "description": one.about, "parameters": one.schema()},
                }
                for one in tools
            ]
        return Question("/v1/chat/completions", {"authorization": f"Bearer {key}"}, body)

    def heard(self, told: Any) -> Said:
        """What was answered."""
        try:
            message = told["choices"][0]["message"]
            used = [(one["id"], one["function"]) for one in message.get("tool_calls") or ()]
            calls = [(name, function["name"], function["arguments"]) for name, function in used]
            return _said(_text(message.get("content") or ""), calls)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    def _messages(self, said: Said) -> list[dict[str, Any]]:
        if said.results:
            return [{"role": "tool", "tool_call_id": one.id, "content": one.text} for one in said.results]
        calls = [
            {"id": one.id, "type": "function", "function": {"name": one.tool, "arguments": one.arguments or "{}"}}
            for one in said.calls
        ]
        return [{"role": _role(said), "content": said.text, **({"tool_calls": calls} if calls else {})}]


DIALECTS: dict[str, Dialect] = {"anthropic": Anthropic(), "openai": OpenAI()}


def _role(said: Said) -> str:
    return "assistant" if said.by is By.AGENT else "user"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _said(text: str, calls: Sequence[tuple[Any, Any, Any]]) -> Said:
    """An answer. Calls have names of their own: two results could not be told apart."""
    made = tuple(Call(_text(name), _text(tool), _text(arguments)) for name, tool, arguments in calls)
    if len({one.id for one in made}) != len(made) or len(made) > _MOST_CALLS or not (text or made):
        raise ValueError
    return Said(By.AGENT, text, made)
