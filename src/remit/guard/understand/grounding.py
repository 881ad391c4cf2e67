"""From the values of the analysis to this machine: places get their paths, arguments the words that are really given.

A skill is analysed for every machine and every caller, so that its values begin with holes: the home folder, the current folder,
an argument. A call has one place and one command line, so that these holes have texts.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from remit.analysis.domain import ARG, CWD, HOME, SKILL, TEMP, UNKNOWN, Hole, Instance, Text, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.domain import Atom, Value
    from remit.guard.understand.values import Place

_MAX_TEXTS = 24  # of one value; more are one unknown text


class Ground:
    """What holes stand for in one call."""

    def __init__(self, place: Place) -> None:
        home, tmp = str(place.home), str(place.tmp)
        self._fixed = {
            HOME: (home,), TEMP: (tmp,), SKILL: ("",),
            "env:HOME": (home,), "env:TMPDIR": (tmp,), "env:CLAUDE_PROJECT_DIR": (str(place.workspace),),
        }  # fmt: skip
        self._cwd = str(place.cwd)
        self.cwds: set[str] = set()  # folders in which programs run that know no other way to say so
        self.words: set[str] = set()  # of the command lines of programs
        self.env: dict[str, set[Text]] = {}  # what programs are given

    def given(self, words: Iterable[str]) -> None:
        """A program is started with these words; an option may have its value in the same word."""
        for word in words:
            self.words.add(word)
            if word.startswith("-"):
                self.words |= {word.partition("=")[2]} if "=" in word else {word[2:]}

    def value(self, value: Value) -> Value:
        """A value with its holes filled."""
        if not any(map(_open, value)):
            return value
        return frozenset(found for atom in value for found in self._atom(atom))

    def _atom(self, atom: Atom) -> Iterable[Atom]:
        if isinstance(atom, Text):
            return self._text(atom)
        if isinstance(atom, Instance) and atom.payload:
            return (atom._replace(payload=frozenset(found for item in atom.payload for found in self._text(item))),)
        return (atom,)

    def _text(self, item: Text) -> tuple[Text, ...]:
        if not _open(item):
            return (item,)
        choices = [self._part(part) if isinstance(part, Hole) else (Text((part,)),) for part in item.parts]
        size = 1
        for choice in choices:
            size *= len(choice)
        if size > _MAX_TEXTS:
            choices = [choice if len(choice) == 1 else (Text((Hole(UNKNOWN, exact=False),)),) for choice in choices]
        return tuple(text(*(part for piece in pieces for part in piece.parts)) for pieces in product(*choices))

    def _part(self, part: Hole) -> tuple[Text, ...]:
        if not part.exact:
            return (Text((part if part.origin != ARG else part._replace(origin=UNKNOWN),)),)
        if part.origin == CWD:
            return tuple(map(_literal, sorted(self.cwds) or [self._cwd]))
        if part.origin in self._fixed and part.origin.removeprefix("env:") not in self.env:
            return tuple(map(_literal, self._fixed[part.origin]))
        if part.origin == ARG and self.words:
            return tuple(map(_literal, sorted(self.words)))
        if part.origin.startswith("env:") and part.origin[4:] in self.env:
            return tuple(sorted(self.env[part.origin[4:]], key=repr))
        return (Text((part,)),)


def _literal(word: str) -> Text:
    return Text((word,) if word else ())


def _open(atom: Atom) -> bool:
    if isinstance(atom, Instance):
        return bool(atom.payload)
    return isinstance(atom, Text) and any(isinstance(part, Hole) for part in atom.parts)
