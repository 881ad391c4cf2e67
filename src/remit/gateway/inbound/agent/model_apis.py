"""Request and response formats of model endpoints.

A response that is not understood is an error, never an empty answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.core.errors import InputError
from remit.gateway.inbound.agent.conversation import By, Call, Said, Talk, whole

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.model_client import Show
    from remit.gateway.inbound.agent.tools import Tool

MOST_TOKENS = 4096
_MOST_CALLS = 32  # in one answer


class Question(NamedTuple):
    """A request to an endpoint."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Dialect(Protocol):
    """The format of one kind of endpoint."""

    def login(self, key: str) -> dict[str, str]:
        """Return the headers with the API key."""

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """Return the request."""

    async def joined(self, events: AsyncIterator[Any], show: Show) -> Any:
        """Assemble a streamed answer into the form of an unstreamed one.

        KeyError and similar errors if the events have another form.
        """

    def heard(self, told: Any) -> Said:
        """Parse an answer; InputError if it has another form."""


class Anthropic:
    """The Anthropic Messages API."""

    def login(self, key: str) -> dict[str, str]:
        """Return the headers with the API key."""
        return {"x-api-key": key} if key else {}

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """Return the request."""
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
        return Question("/messages", {**self.login(key), "anthropic-version": "2023-06-01"}, body)

    def heard(self, told: Any) -> Said:
        """Parse an answer."""
        try:
            blocks = told["content"]
            text = "".join(_text(one["text"]) for one in blocks if one["type"] == "text")
            used = [one for one in blocks if one["type"] == "tool_use"]
            return _said(text, [(one["id"], one["name"], json.dumps(one["input"])) for one in used])
        except (KeyError, TypeError, ValueError, RecursionError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    async def joined(self, events: AsyncIterator[Any], show: Show) -> Any:
        """Assemble the content blocks, each from its deltas in order."""
        blocks: dict[int, dict[str, Any]] = {}
        ended = False
        async for event in events:
            match event["type"]:
                case "content_block_start":
                    blocks[event["index"]] = {**event["content_block"], "pieces": ""}
                case "content_block_delta":
                    block, delta = blocks[event["index"]], event["delta"]
                    if delta["type"] == "text_delta":
                        block["text"] += _text(delta["text"])
                        await show("".join(one["text"] for one in blocks.values() if one["type"] == "text"))
                    elif delta["type"] == "input_json_delta":
                        block["pieces"] += _text(delta["partial_json"])
                case "message_stop":
                    ended = True
                case "error":
                    raise InputError(f"the model failed: {event['error']['type']}", "ask again")
        return {"content": [_whole(one) for one in blocks.values()]} if ended else _cut()

    def _blocks(self, said: Said) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
        blocks += [
            {"type": "tool_use", "id": one.id, "name": one.tool, "input": _input(one.arguments)} for one in said.calls
        ]
        return blocks + [{"type": "tool_result", "tool_use_id": one.id, "content": one.text} for one in said.results]


class OpenAI:
    """The OpenAI Chat Completions API."""

    def login(self, key: str) -> dict[str, str]:
        """Return the headers with the API key."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def asked(self, model: str, key: str, prompt: str, talk: Talk, tools: Sequence[Tool]) -> Question:
        """Return the request."""
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
        return Question("/chat/completions", self.login(key), body)

    def heard(self, told: Any) -> Said:
        """Parse an answer."""
        try:
            message = told["choices"][0]["message"]
            used = [(one["id"], one["function"]) for one in message.get("tool_calls") or ()]
            calls = [(name, function["name"], function["arguments"]) for name, function in used]
            return _said(_text(message.get("content") or ""), calls)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    async def joined(self, events: AsyncIterator[Any], show: Show) -> Any:
        """Assemble one message and its tool calls by index."""
        text, calls, ended = "", dict[int, dict[str, Any]](), False
        async for event in events:
            if "error" in event:
                raise InputError("the model failed while it answered", "ask again")
            for choice in event["choices"][:1]:
                delta = choice.get("delta") or {}
                if delta.get("content"):
                    text += _text(delta["content"])
                    await show(text)
                for one in delta.get("tool_calls") or ():
                    call = calls.setdefault(one["index"], {"id": "", "function": {"name": "", "arguments": ""}})
                    call["id"] = one.get("id") or call["id"]
                    for field, piece in (one.get("function") or {}).items():
                        call["function"][field] = call["function"].get(field, "") + (piece or "")
                ended = ended or bool(choice.get("finish_reason"))
        message = {"content": text, "tool_calls": list(calls.values())}
        return {"choices": [{"message": message}]} if ended else _cut()

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


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block whose input arrived in pieces."""
    pieces = block.pop("pieces")
    return {**block, "input": json.loads(pieces)} if pieces else block


def _cut() -> Any:
    raise InputError("the model stopped in the middle of its answer", "ask again")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _input(arguments: str) -> dict[str, Any]:
    """Return a call's arguments for the model.

    Text that was no JSON object is returned as written: the model sees its mistake.
    """
    try:
        value = json.loads(arguments or "{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"unreadable": arguments}


def _no_number(_: str) -> Any:
    raise ValueError


def _said(text: str, calls: Sequence[tuple[Any, Any, Any]]) -> Said:
    """Return a parsed answer without lone surrogates.

    Duplicate call ids are refused: their results could not be told apart.
    """
    made = tuple(Call(*(whole(_text(part)) for part in call)) for call in calls)
    if len({one.id for one in made}) != len(made) or len(made) > _MOST_CALLS or not (text or made):
        raise ValueError
    return Said(By.AGENT, whole(text), made)
