"""Fields of the arguments of a call, as tables name them: `path`, `ws.url`, `edits[].new_string`, `path?`, `path?=.`, `=text`, `*`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.hosts.payload import leaves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FORM = re.compile(r"(?P<steps>[A-Za-z_-][\w.-]*(?:\[\](?:\.[\w-]+)*)?)(?P<optional>\?(?:=(?P<default>\S+))?)?")
_ALL = "*"  # every text of the arguments
_EACH = "[]"  # every item of a list


class Field(NamedTuple):
    """One field of a table: where a value is found, or the value itself."""

    steps: tuple[str, ...]  # `[]` is every item of a list, `*` every text
    optional: bool = False
    default: str = ""  # of an optional field; a field without steps is this text


class Missing(NamedTuple):
    """A value that is not there, or not of the form that it must have."""

    why: str


def parse_field(text: str) -> Field | None:
    """The field that a cell names; None if it is no such form."""
    if text.startswith("="):
        return Field((), default=text[1:]) if len(text) > 1 else None
    if text == _ALL:
        return Field((_ALL,), optional=True)
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    steps = tuple(match["steps"].replace("[]", ".[]").split("."))
    return Field(steps, bool(match["optional"]), match["default"] or "") if all(steps) else None


def texts(field: Field, args: Mapping[str, Any]) -> tuple[str, ...] | Missing:
    """The texts of a field. Empty: it is optional, has no default, and is not there."""
    found = values(field, args)
    if isinstance(found, Missing):
        return found
    for value in found:
        if not isinstance(value, str):
            return Missing(f"`{shown(field)}` is not text")
    return found


def values(field: Field, args: Mapping[str, Any]) -> tuple[Any, ...] | Missing:
    """The values of a field, of any type. What is null is not there."""
    steps = field.steps
    if not steps:
        return (field.default,)
    if len(steps) == 1 and steps[0] not in (_ALL, _EACH):  # most are one name, and need no walk
        found: tuple[Any, ...] = (args.get(steps[0]),)
    else:
        found = tuple(_walk(args, steps))
    if any(isinstance(value, Missing) for value in found):
        return Missing(f"`{shown(field)}` is not of the form that it must have")
    present = tuple(value for value in found if value is not None)
    if not present or len(present) != len(found):
        if field.optional and not present:
            return (field.default,) if field.default else ()
        return Missing(f"`{shown(field)}` is missing")
    return present


def _walk(value: Any, steps: tuple[str, ...]) -> Iterator[Any]:
    if not steps or value is None:
        yield value
    elif steps[0] == _ALL:
        yield from leaves(value)
    elif steps[0] == _EACH:
        if isinstance(value, list | tuple):
            for item in value:
                yield from _walk(item, steps[1:])
        else:
            yield Missing("no list")
    elif hasattr(value, "get"):
        yield from _walk(value.get(steps[0]), steps[1:])
    else:
        yield Missing("no object")


def as_text(value: Any) -> str:
    """A value for those who look for texts in it: itself, or JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def shown(field: Field) -> str:
    """A field as a table writes it."""
    return ".".join(field.steps).replace(".[]", "[]") or f"={field.default}"
