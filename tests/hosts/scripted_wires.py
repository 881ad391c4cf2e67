"""The scripted model in the wire formats of other hosts: OpenAI responses, OpenAI chat, Gemini; told apart by their paths.

As in `scripted_model`, the next turn is told by how often the model has spoken. A turn may also be a function of the request, for
names that a host has only just given. Whatever else is asked for (a package, a list of models) is not found, at once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from scripted_model import Turn, say

Request = dict[str, Any]
Scripted = Turn | Callable[[Request], Turn]


class Wires(NamedTuple):
    """A running endpoint: where it is, and every request that it was sent."""

    url: str
    requests: list[Request]

    def everything(self) -> str:
        """All that the host ever sent, as text: what did the model get to see?"""
        return json.dumps(self.requests)

    def tools(self) -> set[str]:
        """The names of the tools that the host offers."""
        return {name for request in self.requests for name in _tool_names(request)}

    def results(self) -> list[str]:
        """What tools gave back, or why they did not run, as the host told the model; each once, in order."""
        return list(dict.fromkeys(text for request in self.requests for text in results(request)))


@contextmanager
def wires(turns: Sequence[Scripted]) -> Iterator[Wires]:
    """An endpoint that speaks `turns`."""
    requests: list[Request] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._send(404, "application/json", "{}")

        do_CONNECT = do_GET  # noqa: N815  the name is the library's

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            requests.append(body)
            answer = _answer(self.path, body, turns)
            self._send(200, *answer) if answer else self._send(404, "application/json", "{}")

        def _send(self, status: int, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Wires(f"http://127.0.0.1:{server.server_port}", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def results(request: Request) -> list[str]:
    """The results of tools in one request."""
    found = [item["output"] for item in request.get("input", []) if item.get("type", "").endswith("_call_output")]
    found += [message["content"] for message in request.get("messages", []) if message["role"] == "tool"]
    for content in request.get("contents", []):
        found += [part["functionResponse"]["response"] for part in content["parts"] if "functionResponse" in part]
    return [one if isinstance(one, str) else json.dumps(one) for one in found]


def _answer(path: str, body: Request, turns: Sequence[Scripted]) -> tuple[str, str] | None:
    turn = _next_turn(body, turns)
    if path.endswith("/responses"):
        return "text/event-stream", _responses(turn, len(body.get("input", [])))
    if path.endswith("/chat/completions"):
        return _chat(turn, len(body["messages"]), stream=bool(body.get("stream")))
    if "enerateContent" in path:
        return _gemini(turn, stream="stream" in path)
    return None


def _next_turn(body: Request, turns: Sequence[Scripted]) -> Turn:
    if not _tool_names(body):
        return say("a title")  # side requests: titles, summaries
    turn = turns[done] if (done := _spoken(body)) < len(turns) else say("done")
    return turn if isinstance(turn, Turn) else turn(body)


def _spoken(body: Request) -> int:
    if "input" in body:
        return sum(item.get("type", "").endswith("_call") for item in body["input"])
    if "messages" in body:
        return sum(message["role"] == "assistant" for message in body["messages"])
    return sum(content.get("role") == "model" for content in body.get("contents", []))


def _tool_names(body: Request) -> list[str]:
    names = []
    for tool in body.get("tools") or []:
        names += [declared["name"] for declared in tool.get("functionDeclarations", [])]
        names.append(tool.get("function", {}).get("name") or tool.get("name") or tool.get("type", ""))
    return [name for name in names if name]


def _events(events: list[dict[str, Any]], *, named: bool) -> str:
    return "".join(
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events
    )


def _responses(turn: Turn, number: int) -> str:
    items: list[dict[str, Any]] = []
    if turn.text:
        content = [{"type": "output_text", "text": turn.text, "annotations": []}]
        items.append({"type": "message", "role": "assistant", "id": "m", "content": content})
    for place, (tool, args) in enumerate(turn.calls):
        name = f"call_{number}_{place}"
        space, _, plain = tool.rpartition("/")  # `space/name` is a tool in a namespace
        item = {"type": "function_call", "id": name, "call_id": name, "name": plain, "arguments": json.dumps(args)}
        items.append(item | ({"namespace": space} if space else {}))
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return _events(
        [
            {"type": "response.created", "response": {"id": "r"}},
            *({"type": "response.output_item.done", "output_index": i, "item": item} for i, item in enumerate(items)),
            {"type": "response.completed", "response": {"id": "r", "usage": usage, "output": items}},
        ],
        named=True,
    )


def _chat(turn: Turn, number: int, *, stream: bool) -> tuple[str, str]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    calls = [
        {
            "index": i,
            "id": f"call_{number}_{i}",
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps(args)},
        }
        for i, (tool, args) in enumerate(turn.calls)
    ]
    message |= {"tool_calls": calls} if calls else {}
    reason = "tool_calls" if calls else "stop"
    base = {"id": "c", "created": 1, "model": "scripted"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not stream:
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return "application/json", json.dumps(base | {"object": "chat.completion", "choices": [choice], "usage": usage})
    base |= {"object": "chat.completion.chunk"}
    chunks = [
        base | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
    ]
    return "text/event-stream", _events(chunks, named=False) + "data: [DONE]\n\n"


def _gemini(turn: Turn, *, stream: bool) -> tuple[str, str]:
    parts: list[dict[str, Any]] = [{"text": turn.text}] if turn.text else []
    parts += [{"functionCall": {"name": tool, "args": dict(args)}} for tool, args in turn.calls]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    body = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}
    return ("text/event-stream", f"data: {json.dumps(body)}\n\n") if stream else ("application/json", json.dumps(body))
