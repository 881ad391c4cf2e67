"""Commands in configuration files: the value type, and lenient JSON as tools write it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from remit.core.patterns import lazy_pattern


@dataclass(frozen=True, slots=True)
class Held:
    """A program inside a file: its text and location. `asked`: it runs on request, not automatically."""

    text: str
    line: int
    language: str = "shell"
    form: str = "hook"
    lines: tuple[int, ...] = ()  # the line of the file for each line of the text; empty: all are `line`
    holes: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    opaque: str = ""
    asked: bool = False


_MAX_MISSES = 100  # strings in another spelling; each costs a search through the file
_COMMENTS = lazy_pattern(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = lazy_pattern(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def loads(data: bytes) -> Any:
    """Parse JSON, or JSON with comments and trailing commas; raises ValueError if it is neither."""
    text = data.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        plain = _TRAILING.sub(lambda found: found[1] or "", _COMMENTS.sub(lambda found: found[1] or "", text))
        return json.loads(plain)


def line_finder(data: bytes) -> Callable[[str], int]:
    """Return a function from strings of a JSON text to their lines; call it in the order of the file."""
    text = data.decode("utf-8-sig", "replace")
    at = 0
    line = 1
    misses = 0

    def find(value: str) -> int:
        nonlocal at, line, misses
        if misses > _MAX_MISSES:
            return line
        for spelling in (json.dumps(value, ensure_ascii=False), json.dumps(value)):
            place = text.find(spelling, at)
            if place >= 0:
                line += text.count("\n", at, place)
                at = place
                return line
            place = text.find(spelling)
            if place >= 0:
                return text.count("\n", 0, place) + 1
        misses += 1
        return line

    return find
