"""The commands that documents tell the agent to run, each once, as far as their words are known."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from remit.analysis.domain import ANCHORS, Hole, Text, Value
from remit.analysis.scoping import scopes_of
from remit.core.effect import Command

if TYPE_CHECKING:
    from remit.analysis.world import Site

_LONGEST = 200  # characters of a command line that are kept
_OPEN = "…"  # words that are not known, or were cut


class Commands:
    """Collects them; a command that stands in several places is kept with the first."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Command] = {}

    def add(self, words: tuple[Value, ...], rest: Value, cwd: Value, site: Site) -> None:
        """A command line whose first word is the program."""
        line = " ".join([_word(word) for word in words] + [_OPEN] * bool(rest))
        text = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + _OPEN
        for scope in scopes_of("shell.execute", words[0], cwd):
            found = Command(scope.render(), text, site.where, site.origin)
            self._found.setdefault((found.program, found.text), found)

    def result(self) -> tuple[Command, ...]:
        """In the order of their places."""
        return tuple(sorted(self._found.values(), key=lambda found: (found.where, found.program, found.text)))


def _word(value: Value) -> str:
    """A word as a shell would read it; what fills a hole stands in pointed brackets."""
    if len(value) != 1:
        return _OPEN
    (item,) = value
    if not isinstance(item, Text):
        return _OPEN
    if item.literal is not None:
        return shlex.quote(item.literal)
    shown = "".join(part if isinstance(part, str) else _hole(part) for part in item.parts)
    return f'"{shown}"' if any(char.isspace() for char in shown) else shown


def _hole(part: Hole) -> str:
    if part.origin.startswith("env:"):
        return "$" + part.origin.removeprefix("env:")
    if part.origin in ANCHORS:
        return {"cwd": ".", "home": "~"}.get(part.origin, f"${part.origin.upper()}")
    return f"<{part.origin}>"
