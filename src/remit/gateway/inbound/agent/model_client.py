"""Client that asks a model endpoint for an agent's next message: URL rules, retries, and the formats of two APIs.

A response that is not understood is an error, never an empty answer.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from random import uniform
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from remit.core.errors import AuthorityError, InputError, UsageError
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Talk, whole

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.turn import Tool
    from remit.gateway.inbound.settings.values import ModelSettings

    Show = Callable[[str], Awaitable[None]]


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


MOST_TOKENS = 4096
_MOST_CALLS = 32  # in one answer


class Question(NamedTuple):
    """A request to an endpoint."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


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

    def heard(self, told: Any) -> ConversationMessage:
        """Parse an answer; InputError if it has another form."""
        try:
            blocks = told["content"]
            text = "".join(_text(one["text"]) for one in blocks if one["type"] == "text")
            used = [one for one in blocks if one["type"] == "tool_use"]
            return _said(text, [(one["id"], one["name"], json.dumps(one["input"])) for one in used])
        except (KeyError, TypeError, ValueError, RecursionError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    async def joined(self, events: AsyncIterator[Any], show: Show) -> Any:
        """Assemble a streamed answer into the form of an unstreamed one: content blocks, each from its deltas in order.

        KeyError and similar errors if the events have another form.
        """
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

    def _blocks(self, said: ConversationMessage) -> list[dict[str, Any]]:
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

    def heard(self, told: Any) -> ConversationMessage:
        """Parse an answer; InputError if it has another form."""
        try:
            message = told["choices"][0]["message"]
            used = [(one["id"], one["function"]) for one in message.get("tool_calls") or ()]
            calls = [(name, function["name"], function["arguments"]) for name, function in used]
            return _said(_text(message.get("content") or ""), calls)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
            raise InputError("the model answered in another form", "look at `url` and `speaks` under [model]") from None

    async def joined(self, events: AsyncIterator[Any], show: Show) -> Any:
        """Assemble a streamed answer as above: one message, and its tool calls by index."""
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

    def _messages(self, said: ConversationMessage) -> list[dict[str, Any]]:
        if said.results:
            return [{"role": "tool", "tool_call_id": one.id, "content": one.text} for one in said.results]
        calls = [
            {"id": one.id, "type": "function", "function": {"name": one.tool, "arguments": one.arguments or "{}"}}
            for one in said.calls
        ]
        return [{"role": _role(said), "content": said.text, **({"tool_calls": calls} if calls else {})}]


DIALECTS: dict[str, Anthropic | OpenAI] = {"anthropic": Anthropic(), "openai": OpenAI()}


def _role(said: ConversationMessage) -> str:
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


def _said(text: str, calls: Sequence[tuple[Any, Any, Any]]) -> ConversationMessage:
    """Return a parsed answer without lone surrogates.

    Duplicate call ids are refused: their results could not be told apart.
    """
    made = tuple(AgentCall(*(whole(_text(part)) for part in call)) for call in calls)
    if len({one.id for one in made}) != len(made) or len(made) > _MOST_CALLS or not (text or made):
        raise ValueError
    return ConversationMessage(By.AGENT, whole(text), made)


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

    async def think(
        self, prompt: str, talk: Talk, tools: Sequence[Tool], show: Show = show_nothing
    ) -> ConversationMessage:
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
