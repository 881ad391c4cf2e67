"""Python and TLA+ values in a common text form, which TLC can parse. Equal values have equal texts.

`None` is `Nothing`, a constant of every twin; an Enum is its value; a NamedTuple is a record, and so is a mapping from names; other
mappings are functions, a tuple is a sequence, and a frozenset a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from remit.core.errors import DataError

NOTHING = "Nothing"
_NAMED = re.compile(r'"[A-Za-z_]\w*"')
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<key>[^\s\[\](){},<>"]+)\s*\|->|(?P<number>-?\d+)|(?P<name>\w+)
    |(?P<sign><<|>>|:>|@@|\.\.|[\[\](){},]))""",
    re.VERBOSE,
)


def told(value: Any) -> str:  # noqa: PLR0911  one case for each kind of value
    """The text of a value."""
    match value:
        case None:
            return NOTHING
        case bool():
            return "TRUE" if value else "FALSE"
        case Enum():
            return told(value.value)
        case int():
            return str(value)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case frozenset() | set():
            return _set(map(told, value))
        case Mapping():
            return _function({told(key): told(item) for key, item in value.items()})
        case tuple() if hasattr(value, "_fields"):
            return _function({told(key): told(item) for key, item in zip(value._fields, value, strict=True)})
        case tuple():
            return sequence(map(told, value))
    raise DataError(f"`{type(value).__name__}` has no counterpart in TLA+", "let the twin's `seen` give simpler values")


def identifier(phrase: str) -> str:
    """The name in TLA+ of an action or an invariant: `ANoIsFinal` for `a no is final` and `a-no-is-final`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", phrase))


def same(printed: str) -> str:
    """Return the canonical text of a value that TLC printed in its own order."""
    reader = _ValueParser(printed)
    text = reader.value()
    if reader.kind or reader.place != len(printed.rstrip()):
        raise reader.wrong()
    return text


def _set(texts: Iterable[str]) -> str:
    return "{" + ", ".join(sorted(set(texts))) + "}"


def sequence(texts: Iterable[str]) -> str:
    """Return the text of a sequence of values."""
    return "<<" + ", ".join(texts) + ">>"


def _function(items: Mapping[str, str]) -> str:
    places = [str(place) for place in range(1, len(items) + 1)]
    if set(items) == set(places):  # a sequence is a function from 1 on, and what is empty is one too
        return sequence(items[place] for place in places)
    if all(map(_NAMED.fullmatch, items)):
        return "[" + ", ".join(f"{key[1:-1]} |-> {items[key]}" for key in sorted(items)) + "]"
    return "(" + " @@ ".join(f"{key} :> {items[key]}" for key in sorted(items)) + ")"


class _ValueParser:
    """A parser of a value. `kind` and `word` are the next token."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.kind = self.word = ""
        self._next()

    def value(self) -> str:
        """Parse the next value."""
        kind, word = self.kind, self._next()
        match kind, word:
            case "number", _ if self.word == "..":
                self._next()
                return _set(map(str, range(int(word), int(self._next()) + 1)))
            case (("text" | "number" | "name"), _):
                return word
            case "sign", "<<":
                return sequence(self._until(">>"))
            case "sign", "{":
                return _set(self._until("}"))
            case "sign", "[":
                return _function(self._items("]", ","))
            case "sign", "(":
                return _function(self._items(")", "@@"))
        raise self.wrong()

    def wrong(self) -> DataError:
        """Return the error for a malformed text."""
        return DataError(f"`{self.text}` is no value", "TLC prints something else than this version knows")

    def _next(self) -> str:
        before = self.word
        found = _TOKEN.match(self.text, self.place)
        self.kind = (found.lastgroup or "") if found else ""
        self.word = found[self.kind] if found else ""
        self.place = found.end() if found else self.place
        return before

    def _until(self, end: str) -> list[str]:
        found: list[str] = []
        while self.word != end:
            found.append(self.value())
            self._past(",", end)
        self._next()
        return found

    def _items(self, end: str, between: str) -> dict[str, str]:
        """Of a record (`name |-> value`) or a function (`key :> value`)."""
        found: dict[str, str] = {}
        while self.word != end:
            if self.kind == "key":
                key = told(self._next())
            else:
                key = self.value()
                if self._next() != ":>":
                    raise self.wrong()
            found[key] = self.value()
            self._past(between, end)
        self._next()
        return found

    def _past(self, between: str, end: str) -> None:
        if self.word == between:
            self._next()
        elif self.word != end:
            raise self.wrong()
