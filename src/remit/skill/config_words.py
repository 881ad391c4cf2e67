"""Helpers for readers of configuration files: command lines from words, placeholders, line numbers of texts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from remit.core.patterns import lazy_pattern
from remit.skill.placeholders import FIRST

if TYPE_CHECKING:
    import re


def walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return every mapping of a JSON value with the keys that lead to it."""
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from walk(item, (*path, str(key)))
    elif isinstance(value, list):
        for item in value:
            yield from walk(item, path)


def argv(command: Any, args: Any = None) -> str:
    """Return a command line from a text or a list of words, and further words."""
    words = [shlex.quote(str(word)) for word in command] if isinstance(command, list) else [str(command)]
    words += [shlex.quote(str(word)) for word in args] if isinstance(args, list) else []
    return " ".join(words)


_HOLE = lazy_pattern(r"\$\{\{[^{}]*\}\}")


def with_holes(text: str, pattern: re.Pattern[str] = _HOLE) -> tuple[str, dict[str, str]]:
    """Replace parts that the runner fills in by private-use characters (see `placeholders.py`)."""
    holes: dict[str, str] = {}

    def token(found: re.Match[str]) -> str:
        char = chr(FIRST + len(holes))
        holes[char] = found[0]
        return char

    return pattern.sub(token, text), holes


def text_line(text: str, wanted: str) -> int:
    """Return the line on which a text begins, or the first."""
    place = text.find(wanted.split("\n", 1)[0])
    return text.count("\n", 0, place) + 1 if place >= 0 else 1
