"""Checks of a server's answers: in the protocol's form, of bounded size, and valid by the tool's own schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

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
    """Limits of an answer, in bytes."""

    text: int = 2 * 1024 * 1024
    binary: int = 8 * 1024 * 1024


class CheckedResult(NamedTuple):
    """An answer that may be passed on, with its texts; or the reason against it."""

    text: str
    problem: str = ""


def check(method: str, result: Mapping[str, Any], output: Mapping[str, Any] | None, bounds: Bounds) -> CheckedResult:
    """Check an answer. `output` is the schema that the tool promises."""
    form = _FORMS.get(method)
    if form is not None:
        try:
            form.validate_python(result)
        except (ValidationError, RecursionError) as error:
            return CheckedResult("", f"the answer is not of the form of {method}: {_short(error)}")
    text, binary = _parts(result)
    if len(text.encode("utf-8", "surrogatepass")) > bounds.text:
        return CheckedResult("", f"the answer holds more than {bounds.text} bytes of text")
    if binary > bounds.binary:
        return CheckedResult("", f"the answer holds more than {bounds.binary} bytes of data")
    if output is not None and not result.get("isError"):
        if not isinstance(result.get("structuredContent"), dict):
            return CheckedResult("", "the tool promises structured content and gave none")
        problem = schema_problem(output, result["structuredContent"])
        if problem:
            return CheckedResult("", f"the answer is not as the tool promises: {problem}")
    return CheckedResult(text)


def _parts(result: Mapping[str, Any]) -> tuple[str, int]:
    """Return all texts of an answer, with keys, and the amount of other data."""
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


MOST_STEPS = 20_000  # references that are followed for one answer
_LONGEST = 300
# The validator evaluates these with its own pattern engine, which a crafted pattern can keep busy for years.
_REFUSED = frozenset({"unevaluatedProperties", "unevaluatedItems", "$dynamicRef"})
_steps: ContextVar[list[int]] = ContextVar("_steps")


def schema_problem(schema: Mapping[str, Any], value: Any) -> str:
    """Return why a value does not match a schema; empty if it does. A schema that cannot be applied is a problem."""
    from referencing import Registry  # noqa: PLC0415

    refused = _refused(schema)
    if refused:
        return f"its schema cannot be applied: `{refused}` is not taken"
    token = _steps.set([0])
    try:
        kind = _validator()
        kind.check_schema(schema)
        # an empty registry: references outside the schema are not fetched
        error = next(kind(schema, registry=Registry()).iter_errors(value), None)
    except Exception as problem:  # noqa: BLE001  of whatever kind: it was not checked
        return f"its schema cannot be applied: {' '.join(str(problem).split())[:_LONGEST]}"
    finally:
        _steps.reset(token)
    return "" if error is None else " ".join(error.message.split())[:_LONGEST]


def _refused(schema: Any) -> str:
    todo = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            found = _REFUSED & item.keys()
            if found:
                return min(found)
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return ""


@cache
def _validator() -> Any:  # noqa: C901  one case for each form of schema
    """Return a validator of the newest draft, with patterns matched by RE2, which does not backtrack."""
    import re2  # noqa: PLC0415
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415
    from jsonschema.validators import extend  # noqa: PLC0415

    follow = Draft202012Validator.VALIDATORS["$ref"]

    def found(pattern: str, text: str) -> bool:
        options = re2.Options()
        options.log_errors = False
        return re2.compile(pattern, options).search(text) is not None

    def reference(checker: Any, wanted: Any, value: Any, schema: Any) -> Iterator[Any]:
        steps = _steps.get()
        steps[0] += 1
        if steps[0] > MOST_STEPS:
            raise ValueError("it refers to itself without end")
        yield from follow(checker, wanted, value, schema) or ()

    def pattern(_checker: Any, wanted: str, value: Any, _schema: Any) -> Iterator[Any]:
        if isinstance(value, str) and not found(wanted, value):
            yield ValidationError(f"a text does not match `{wanted}`")

    def properties(checker: Any, wanted: Mapping[str, Any], value: Any, _schema: Any) -> Iterator[Any]:
        for name, inner in wanted.items():
            for key, item in value.items() if isinstance(value, dict) else ():
                if found(name, key):
                    yield from checker.descend(item, inner, path=key, schema_path=name)

    def additional(checker: Any, wanted: Any, value: Any, schema: Any) -> Iterator[Any]:
        known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        for key, item in value.items() if isinstance(value, dict) else ():
            if key not in known and not any(found(name, key) for name in patterns):
                yield from checker.descend(item, wanted, path=key)

    return extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {"$ref": reference, "pattern": pattern, "patternProperties": properties, "additionalProperties": additional},
    )
