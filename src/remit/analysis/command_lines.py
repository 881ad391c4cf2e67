"""The commands that documents tell the agent to run and those that scripts start, as far as their words are known."""

from __future__ import annotations

import shlex
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING

from remit.analysis.domain import ANCHORS, Hole, Text, Value
from remit.analysis.scopes import scopes_of
from remit.core.effect import Command

if TYPE_CHECKING:
    from remit.analysis.world import Site

_LONGEST = 200  # characters of a command line of a document that are kept
_LONGEST_STARTED = 1000  # likewise of a script: it may give an option a text
_WAYS = 32  # commands that words with several values may be
_OPEN = "…"  # words that are not known, or were cut


class CommandLines:
    """Collects them; a command that stands in several places of documents is kept with the first."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], Command] = {}
        self._started: set[Command] = set()
        self._added: set[tuple[object, ...]] = set()  # loops and functions run the same command many times

    def add(self, words: tuple[Value, ...], rest: Value, cwd: Value, site: Site) -> None:
        """A command line whose first word is the program: in a document, or started by a script."""
        key = words, rest, cwd, site.where, site.origin, site.hosted
        if key in self._added:
            return
        self._added.add(key)
        programs = [scope.render() for scope in scopes_of("shell.execute", words[0], cwd)]
        if site.hosted:
            line = _joined([_word(word) for word in words], rest, _LONGEST)
            for program in programs:
                self._told.setdefault((program, line), Command(program, line, site.where, site.origin))
            return
        for line in _ways(words, rest):
            self._started.update(Command(program, line, site.where, site.origin) for program in programs)

    def of_documents(self) -> tuple[Command, ...]:
        """Those of documents, in the order of their places."""
        return tuple(sorted(self._told.values(), key=_order))

    def of_scripts(self) -> tuple[Command, ...]:
        """Those of scripts."""
        return tuple(sorted(self._started, key=_order))


def _order(command: Command) -> tuple[object, ...]:
    return command.where, command.program, command.text, command.origin


def _ways(words: tuple[Value, ...], rest: Value) -> set[str]:
    """The command lines that words may make, one for each choice where there are few."""
    choices = [[frozenset({atom}) for atom in word] or [word] for word in words]
    if prod(map(len, choices)) > _WAYS:
        choices = [[word] for word in words]
    ways = islice(product(*choices), _WAYS)
    return {_joined([_word(word) for word in way], rest, _LONGEST_STARTED) for way in ways}


def _joined(words: list[str], rest: Value, longest: int) -> str:
    line = " ".join(words + [_begin(rest) + _OPEN] * bool(rest))
    return line if len(line) <= longest else line[: longest - 1] + _OPEN


def _begin(rest: Value) -> str:
    """The longest known beginning among words of unknown number: the first of them, if an expansion is split."""
    begins = (item.parts[0] for item in rest if isinstance(item, Text) and item.parts)
    return max((begin for begin in begins if isinstance(begin, str)), key=lambda one: (len(one), one), default="")


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
