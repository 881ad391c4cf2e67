"""What a person has seen of a server, and what the server shows now: pure.

An entry is anything of a server that a model reads before a call: a tool (`tool:NAME`), a prompt (`prompt:NAME`), the server's
instructions, and where the server comes from. It is pinned whole: name, description, schemas, annotations. One letter that differs
is another tool.
"""

from __future__ import annotations

import difflib
import json
import re
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    Entries = Mapping[str, Mapping[str, Any]]

ORIGIN = "origin"
INSTRUCTIONS = "instructions"
_SEPARATORS = re.compile(r"[\W_]+")


class Standing(StrEnum):
    """How an entry compares with what a person has seen."""

    SAME = "same"
    NEW = "new"  # nobody has seen anything of this server
    ADDED = "added"
    CHANGED = "changed"
    SHADOWS = "shadows"  # it has the name of another tool, or one that reads like it


class Sight(NamedTuple):
    """What a server shows, held against its pin."""

    entries: Entries
    standing: Mapping[str, Standing]
    gone: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # what was shown and is no entry
    pinned: Entries | None = None

    @property
    def digest(self) -> str:
        """Of everything that is shown."""
        return digest({key: dict(value) for key, value in self.entries.items()})

    @property
    def settled(self) -> bool:
        """Whether there is nothing that a person must look at."""
        return all(standing is Standing.SAME for standing in self.standing.values())

    @property
    def first(self) -> bool:
        """Whether nobody has seen anything of this server."""
        return self.pinned is None

    def usable(self, key: str) -> bool:
        """Whether it is what a person has seen."""
        return self.standing.get(key) is Standing.SAME


def compare(
    pinned: Entries | None, shown: Entries, elsewhere: Mapping[str, str], problems: tuple[str, ...] = ()
) -> Sight:
    """Hold what a server shows against its pin. `elsewhere`: folded names of tools of other servers, and whose they are."""
    names: dict[str, int] = {}
    for key in shown:
        names[folded(key)] = names.get(folded(key), 0) + 1
    moved = pinned is not None and _differs(pinned.get(ORIGIN), shown.get(ORIGIN))
    standing: dict[str, Standing] = {}
    for key, value in shown.items():
        old = None if pinned is None else pinned.get(key)
        if old is not None and not moved and not _differs(old, value):
            standing[key] = Standing.SAME
        elif key.startswith("tool:") and (names[folded(key)] > 1 or folded(key) in elsewhere):
            standing[key] = Standing.SHADOWS
        elif pinned is None:
            standing[key] = Standing.NEW
        else:
            standing[key] = Standing.ADDED if old is None else Standing.CHANGED
    gone = tuple(key for key in pinned or () if key not in shown)
    return Sight(shown, standing, gone, problems, pinned)


def folded(name: str) -> str:
    """A name as a hurried reader sees it: without case, separators and letters that only look different."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name).casefold())


def diff(sight: Sight, longest: int | None = None) -> str:
    """What is not as a person has seen it, line by line; at most so many characters."""
    parts: list[str] = []
    for key, standing in sight.standing.items():
        if standing is not Standing.SAME:
            old = (sight.pinned or {}).get(key)
            parts += [f"{standing.value} {key}", *_lines(old, sight.entries[key])]
    parts += [f"gone {key}" for key in sight.gone]
    parts += [f"refused {problem}" for problem in sight.problems]
    text = "\n".join(parts)
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}\n… {len(text)} characters in all: remit guard mcp pins"


def _lines(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> list[str]:
    before = _written(old) if old is not None else []
    return [f"  {line}" for line in list(difflib.unified_diff(before, _written(new), n=1, lineterm=""))[2:]]


def _written(value: Mapping[str, Any]) -> list[str]:
    # characters outside of ASCII are escaped: what hides in a description must show in its diff
    return json.dumps(value, indent=1, sort_keys=True).splitlines()


def _differs(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is not new
    return digest(dict(old)) != digest(dict(new))
