"""The command lines of the programs that a call starts, and one that is known word by word: that of a call which somebody is about to make.

A skill is analysed for every caller, so that its words are `<arg>` there, without a place. The analysis of one call says what stands where,
and what each declared argument of a parser gets.
"""

from __future__ import annotations

from typing import NamedTuple

from remit.analysis.domain import Text, Value, lit
from remit.analysis.engine.texts import texts_of


class Words(NamedTuple):
    """The words of a program by their places, the name of the program first. Programs of one `name` share them."""

    name: str
    words: tuple[Value, ...]


class Given(NamedTuple):
    """What one declared argument gets: its words, and what else it may be; nothing of all that if its subcommand is not chosen."""

    words: Value
    default: bool  # it may be left out
    bare: bool  # its name may stand without a word


MAX_STARTS = 6  # of one program
NO_FILE = {"python": lit("-c") | lit("-"), "js": lit("-")}  # the name of a program that stands in no file


class Start(NamedTuple):
    """A program of the evaluator, as it is started: the words by their places, the name of the program first."""

    file: str
    language: str
    words: tuple[Value, ...]


class CommandLines:
    """What is known of the words of each program. What is not known word by word is not known at all."""

    def __init__(self) -> None:
        self._starts: dict[Start, None] = {}
        self._unknown: set[str] = set()  # languages of programs whose words are not known by their places
        self._shared: set[str] = set()  # files that another program loads into itself

    def started(self, start: Start, rest: Value) -> bool:
        """A program is started; whether that says anything new."""
        known = not rest and all(map(_is_known, start.words[1:]))
        if not known:
            new = start.language not in self._unknown
            self._unknown.add(start.language)
            return new
        new = start not in self._starts
        self._starts[start] = None
        return new

    def loaded(self, file: str) -> bool:
        """A file becomes part of another program; whether that says anything new."""
        new = file not in self._shared
        self._shared.add(file)
        return new

    def of(self, file: str, language: str) -> tuple[Start, ...] | None:
        """The ways in which the program is started that code of a file belongs to; None if that is not known."""
        if language in self._unknown:
            return None
        every = [start for start in self._starts if start.language == language]
        own = [start for start in every if start.file == file]
        found = own if own and file not in self._shared else every
        return tuple(found) if found and len(found) <= MAX_STARTS else None


def _is_known(word: Value) -> bool:
    return bool(word) and all(isinstance(item, Text) and item.literal is not None for item in texts_of(word))
