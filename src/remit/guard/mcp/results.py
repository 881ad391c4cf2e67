"""What a server may answer: of the form that the protocol has, of bounded size, and as the tool's own schema says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from remit.guard.mcp.schema import schema_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMS: dict[str, TypeAdapter[Any]] = {
    "tools/call": TypeAdapter(types.CallToolResult),
    "resources/read": TypeAdapter(types.ReadResourceResult),
    "prompts/get": TypeAdapter(types.GetPromptResult),
    "completion/complete": TypeAdapter(types.CompleteResult),
    "sampling/createMessage": TypeAdapter(types.CreateMessageResult | types.CreateMessageResultWithTools),
    "elicitation/create": TypeAdapter(types.ElicitResult),
    "roots/list": TypeAdapter(types.ListRootsResult),
}
_BINARY = ("data", "blob")
_TAGS = {("type", word) for word in ("text", "image", "audio", "resource", "resource_link")} | {
    ("resultType", "complete")
}


class Bounds(NamedTuple):
    """How much of an answer is taken. Bytes."""

    text: int = 2 * 1024 * 1024
    binary: int = 8 * 1024 * 1024


class Checked(NamedTuple):
    """An answer that may be handed on, with its texts; or why not."""

    text: str
    problem: str = ""


def check(method: str, result: Mapping[str, Any], output: Mapping[str, Any] | None, bounds: Bounds) -> Checked:
    """Look at an answer. `output` is the schema that the tool promises."""
    form = _FORMS.get(method)
    if form is not None:
        try:
            form.validate_python(result)
        except (ValidationError, RecursionError) as error:
            return Checked("", f"the answer is not of the form of {method}: {_short(error)}")
    text, binary = _parts(result)
    if len(text.encode("utf-8", "surrogatepass")) > bounds.text:
        return Checked("", f"the answer holds more than {bounds.text} bytes of text")
    if binary > bounds.binary:
        return Checked("", f"the answer holds more than {bounds.binary} bytes of data")
    if output is not None and not result.get("isError"):
        if not isinstance(result.get("structuredContent"), dict):
            return Checked("", "the tool promises structured content and gave none")
        problem = schema_problem(output, result["structuredContent"])
        if problem:
            return Checked("", f"the answer is not as the tool promises: {problem}")
    return Checked(text)


def _parts(result: Mapping[str, Any]) -> tuple[str, int]:
    """All texts of an answer, keys too, and how much data there is besides."""
    texts: list[str] = []
    binary = 0
    todo: list[tuple[str, Any]] = [("", dict(result))]
    while todo:
        key, item = todo.pop()
        if isinstance(item, str):
            if key in _BINARY:
                binary += len(item)
            elif (key, item) not in _TAGS:
                texts.append(item)
        elif isinstance(item, dict):
            todo.extend((str(name), value) for name, value in reversed(item.items()))
        elif isinstance(item, list):
            todo.extend((key, value) for value in reversed(item))
        elif item is not None and not isinstance(item, bool):
            texts.append(json.dumps(item))
    return "\n".join(texts), binary


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
