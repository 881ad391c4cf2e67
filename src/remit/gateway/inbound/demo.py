"""Scripted model endpoint on this machine, to try everything without a model.

It speaks the Anthropic Messages format. `devices` lists devices, `run COMMAND ARGUMENTS on DEVICE` asks for a command
there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

_RUN = re.compile(r"run (?P<command>[a-z]+\.[a-z]+) ?(?P<arguments>.*?) on (?P<device>[0-9a-f]{4,32})", re.IGNORECASE)
HELLO = "I answer by a script. Say `devices`, or `run system.run echo hello on DEVICE`."


def answer(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the script's next content blocks."""
    last = messages[-1]["content"]
    results = [one["content"] for one in last if one.get("type") == "tool_result"] if isinstance(last, list) else []
    if results:
        return [_text("\n".join(map(str, results)))]
    said = last if isinstance(last, str) else " ".join(one.get("text", "") for one in last)
    name = f"call_{len(messages)}"
    if found := _RUN.search(said):
        return [{"type": "tool_use", "id": name, "name": "node_run", "input": found.groupdict()}]
    if "devices" in said.lower():
        return [{"type": "tool_use", "id": name, "name": "node_list", "input": {}}]
    return [_text(f"You said: {said}\n{HELLO}")]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


async def _messages(request: Request) -> Response:
    told = json.loads(await request.body())
    return JSONResponse({"type": "message", "role": "assistant", "content": answer(told["messages"])})


def make_demo() -> Starlette:
    """Return the endpoint's application."""
    return Starlette(routes=[Route("/v1/messages", _messages, methods=["POST"])])
