"""Schemas of evidence: closed and bounded. A schema validates values and renders itself as JSON Schema.

An unknown field, an unbounded list or a text of a megabyte is refused before the value is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias


@cache
def _whole(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(pattern, re.ASCII).fullmatch


class Text(NamedTuple):
    """A text of limited length that matches a pattern as a whole, if there is one. `words`: the meaning of the pattern,
    for a person.
    """

    limit: int = 1_000
    pattern: str = ""
    empty: bool = False
    words: str = ""

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value; empty if it is valid."""
        if not isinstance(value, str):
            return f"`{at}` is not a text"
        if len(value) > self.limit or (not value and not self.empty):
            return f"`{at}` is {'longer than' if value else 'empty; it has 1 to'} {self.limit} characters"
        if self.pattern and not _whole(self.pattern)(value):
            return f"`{at}` is not {self.words or f'of the form {self.pattern}'}"
        return ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        out: dict[str, Any] = {"type": "string", "maxLength": self.limit}
        if not self.empty:
            out["minLength"] = 1
        return out | ({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})


class Word(NamedTuple):
    """One of some texts."""

    words: tuple[str, ...]

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        return "" if isinstance(value, str) and value in self.words else f"`{at}` is not one of {', '.join(self.words)}"

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"enum": list(self.words)}


class Flag(NamedTuple):
    """True or false."""

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        return "" if isinstance(value, bool) else f"`{at}` is not true or false"

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "boolean"}


class Nothing(NamedTuple):
    """Null."""

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        return "" if value is None else f"`{at}` is not null"

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "null"}


class OneOf(NamedTuple):
    """A value of one of several schemas."""

    shapes: tuple[Shape, ...]

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value, according to the first schema."""
        faults = [shape.fault(value, at) for shape in self.shapes]
        return faults[0] if all(faults) else ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"anyOf": [shape.schema() for shape in self.shapes]}


class Whole(NamedTuple):
    """An integer between two bounds. True is not a number here, and neither is 1.0: it has another spelling."""

    low: int
    high: int

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        fine = isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high
        return "" if fine else f"`{at}` is not a whole number from {self.low} to {self.high}"

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Items(NamedTuple):
    """A list with a minimum and a maximum length."""

    of: Shape
    limit: int
    least: int = 0

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value: with the first invalid item."""
        if not isinstance(value, list):
            return f"`{at}` is not a list"
        if len(value) > self.limit:
            return f"`{at}` has more than {self.limit} items"
        if len(value) < self.least:
            return f"`{at}` has fewer than {self.least} items"
        return next(filter(None, (self.of.fault(item, f"{at}[{n}]") for n, item in enumerate(value))), "")

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        least = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": self.of.schema(), "maxItems": self.limit, **least}


class Open(NamedTuple):
    """An object with any content, which another schema defines."""

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        return "" if isinstance(value, dict) else f"`{at}` is not an object"

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "object"}


class Named(NamedTuple):
    """An object whose keys are data: limited in number, all values of one schema."""

    key: Text
    of: Shape
    limit: int

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value: with the first invalid field."""
        if not isinstance(value, dict):
            return f"`{at}` is not an object"
        if len(value) > self.limit:
            return f"`{at}` has more than {self.limit} fields"
        for name, item in value.items():
            if found := self.key.fault(name, f"a key of {at}") or self.of.fault(item, f"{at}.{name}"):
                return found
        return ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        inner = {"propertyNames": self.key.schema(), "additionalProperties": self.of.schema()}
        return {"type": "object", **inner, "maxProperties": self.limit}


class Record(NamedTuple):
    """An object with exactly these fields; those of `optional` may be missing."""

    fields: Mapping[str, Shape]
    optional: frozenset[str] = frozenset()

    def fault(self, value: Any, at: str) -> str:
        """Return what is wrong with a value."""
        if not isinstance(value, dict):
            return f"`{at}` is not an object"
        for name in value:
            if name not in self.fields:
                return f"`{name[:80]}` is not a field of `{at}`"
        for name, shape in self.fields.items():
            if name in value:
                if found := shape.fault(value[name], f"{at}.{name}"):
                    return found
            elif name not in self.optional:
                return f"`{at}` has no `{name}`"
        return ""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in self.fields.items()},
            "required": [name for name in self.fields if name not in self.optional],
            "additionalProperties": False,
        }


Shape: TypeAlias = "Text | Word | Flag | Nothing | OneOf | Whole | Items | Open | Named | Record"

DIGEST = Text(71, r"sha256:[0-9a-f]{64}")
HEX = Text(64, r"[0-9a-f]{64}")
PATH = Text(4_096)
VERSION = Text(200)
