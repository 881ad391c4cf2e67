"""A model that says what a test wrote down, on loopback, in the form of Anthropic's Messages API.

A host that talks to it runs its own loop, tools and hooks for real; only what the model says is fixed. A script is a list of
turns; which one is next is told by how often the model has spoken in the conversation that the host sends along, so that
retries and side requests change nothing. A turn may also be a function of the request: something else happens before the model speaks.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Call(NamedTuple):
    """The model calls a tool."""

    tool: str
    args: Mapping[str, Any]


class Turn(NamedTuple):
    """What the model says at once: text, calls of tools, or both."""

    text: str = ""
    calls: tuple[Call, ...] = ()


if TYPE_CHECKING:
    Scripted = Turn | Callable[[dict[str, Any]], Turn]


def call(tool: str, **args: Any) -> Turn:
    """A turn that is one call of a tool."""
    return Turn(calls=(Call(tool, args),))


def say(text: str) -> Turn:
    """A turn that is text."""
    return Turn(text)


class Model(NamedTuple):
    """A running endpoint: where it is, and every request that it was sent."""

    url: str
    requests: list[dict[str, Any]]

    def results(self) -> list[tuple[bool, str]]:
        """The results of tools that the host has sent back, in order: whether it failed, and the text."""
        seen: dict[str, tuple[bool, str]] = {}
        for request in self.requests:
            for message in request.get("messages", ()):
                for block in _blocks(message):
                    if block.get("type") == "tool_result":
                        seen[block["tool_use_id"]] = (bool(block.get("is_error")), text_of(block.get("content")))
        return list(seen.values())

    def everything(self) -> str:
        """All that the host ever sent, as text: what did the model get to see?"""
        return json.dumps(self.requests)


def text_of(content: Any) -> str:
    """The text of a content that may be a text or a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or ())


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else []


@contextmanager
def scripted(turns: Sequence[Scripted], agents: Mapping[str, Sequence[Scripted]] | None = None) -> Iterator[Model]:
    """An endpoint that speaks `turns`. A conversation whose first message holds a key of `agents` has that script instead."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._json({})

        do_HEAD = do_GET  # noqa: N815  named by the base class

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            if "count_tokens" in self.path:
                self._json({"input_tokens": 10})
            elif "/v1/messages" not in self.path:
                self._json({})
            else:
                requests.append(body)
                turn = _next_turn(body, turns, agents or {})
                message = _message(turn, body.get("model", "scripted"), len(requests))
                if body.get("stream"):
                    self._stream(message)
                else:
                    self._json(message)

        def _json(self, value: Any) -> None:
            self._send("application/json", json.dumps(value).encode())

        def _stream(self, message: dict[str, Any]) -> None:
            events = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message))
            self._send("text/event-stream", events.encode())

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Model(f"http://127.0.0.1:{server.server_port}", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _next_turn(body: dict[str, Any], turns: Sequence[Scripted], agents: Mapping[str, Sequence[Scripted]]) -> Turn:
    if not body.get("tools"):
        return say("a title")  # side requests: titles, summaries
    messages = body.get("messages", [])
    first = json.dumps(next((message for message in messages if message.get("role") == "user"), {}))
    script = next((found for key, found in agents.items() if key in first), turns)
    spoken = sum(message.get("role") == "assistant" for message in messages)
    turn = script[spoken] if spoken < len(script) else say("done")
    return turn if isinstance(turn, Turn) else turn(body)


def _message(turn: Turn, model: str, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{number:04d}_{place}", "name": tool, "input": dict(args)}
        for place, (tool, args) in enumerate(turn.calls)
    ]
    return {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if turn.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": message | {"content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}
