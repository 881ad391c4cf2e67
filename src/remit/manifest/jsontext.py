"""JSON parser that remembers the position of each value, for messages with line and column.

Stricter than the standard parser: keys must be unique in an object, numbers must be finite, and nesting is limited, so
that two readers of one document cannot understand different things.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from json import JSONDecodeError, decoder
from typing import TypeAlias

from remit.core.errors import ManifestError, RemitError
from remit.core.patterns import lazy_pattern

MAX_DEPTH = 40
_BLANK = lazy_pattern(r"[ \t\n\r]*")
_NUMBER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_FIX = "write it as JSON (RFC 8259)"
_read_string: Callable[[str, int], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]  # strict

Plain: TypeAlias = "str | float | bool | dict[str, Node] | list[Node] | None"


class Node:
    """A value and the offset of its first character."""

    __slots__ = ("at", "value")

    def __init__(self, value: Plain, at: int) -> None:
        self.value = value
        self.at = at

    @property
    def kind(self) -> str:
        """The type of the value, as a message names it."""
        names = {str: "text", dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
        return names.get(type(self.value)) or (
            "a number" if isinstance(self.value, int) else "a number with a fraction"
        )


class Reader:
    """One document."""

    def __init__(self, text: str, file: str, kind: type[RemitError] = ManifestError) -> None:
        self.text = text
        self.file = file
        self.kind = kind  # of the errors
        self._starts: list[int] = []  # of lines; found when the first is asked for

    def fail(self, at: int, message: str, remedy: str = _FIX) -> RemitError:
        """Return the error to raise: it begins with `file:line:column`."""
        line = self.line(at)
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return self.kind(message, remedy, where=f"{self.file}:{line}:{column}")

    def line(self, at: int) -> int:
        """Return the line of an offset."""
        if not self._starts:
            self._starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
        return bisect_right(self._starts, at)

    def read(self) -> Node:
        """Parse the one value of the document."""
        node, at = self._value(self._blank(0), 0)
        at = self._blank(at)
        if at != len(self.text):
            raise self.fail(at, "something follows the end of the document", "remove it")
        return node

    def _blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def _value(self, at: int, depth: int) -> tuple[Node, int]:
        if depth > MAX_DEPTH:
            raise self.fail(at, f"values are nested deeper than {MAX_DEPTH} levels", "flatten the document")
        first = self.text[at : at + 1]
        if first == '"':
            text, end = self._string(at)
            return Node(text, at), end
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._list(at, depth)
        for word, value in _WORDS.items():
            if self.text.startswith(word, at):
                return Node(value, at), at + len(word)
        number = _NUMBER.match(self.text, at)
        if number is None:
            raise self.fail(at, "a value is missing" if first in ("", ",", "]", "}") else f"`{first}` begins no value")
        return Node(self._number(number, at), at), number.end()

    def _number(self, found: re.Match[str], at: int) -> float:
        if len(found[0]) > 40:
            raise self.fail(at, "a number has too many digits", "shorten it")
        value = float(found[0]) if found[1] or found[2] else int(found[0])
        if value in (float("inf"), float("-inf")):
            raise self.fail(at, f"`{found[0]}` is too large to be read", "write a smaller number")
        return value

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = _read_string(self.text, at + 1)
        except JSONDecodeError as error:
            raise self.fail(min(error.pos, len(self.text)), "a text is not closed or holds a bad character") from None
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise self.fail(at, "a text holds half of a surrogate pair", "repair the text; it is not valid Unicode")
        return text, end

    def _list(self, at: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        here = self._blank(at + 1)
        if self.text.startswith("]", here):
            return Node(items, at), here + 1
        while True:
            item, here = self._value(here, depth + 1)
            items.append(item)
            here = self._blank(here)
            if self.text.startswith("]", here):
                return Node(items, at), here + 1
            here = self._comma(here, "]")

    def _object(self, at: int, depth: int) -> tuple[Node, int]:
        items: dict[str, Node] = {}
        here = self._blank(at + 1)
        if self.text.startswith("}", here):
            return Node(items, at), here + 1
        while True:
            if not self.text.startswith('"', here):
                raise self.fail(here, "a key in quotes is missing")
            key, end = self._string(here)
            if key in items:
                raise self.fail(here, f"the key `{key}` occurs twice", "remove one of the two")
            end = self._blank(end)
            if not self.text.startswith(":", end):
                raise self.fail(end, f"`:` is missing after the key `{key}`")
            items[key], here = self._value(self._blank(end + 1), depth + 1)
            here = self._blank(here)
            if self.text.startswith("}", here):
                return Node(items, at), here + 1
            here = self._comma(here, "}")

    def _comma(self, at: int, close: str) -> int:
        if not self.text.startswith(",", at):
            raise self.fail(at, f"`,` or `{close}` is missing")
        return self._blank(at + 1)
