"""Filling of the holes in analysis values for one call: real paths for folders, actual words for arguments.

A skill is analysed for every machine and every caller, so its values contain holes: the home folder, the current
folder, an argument. A call has one working folder and one command line, so these holes have values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import TYPE_CHECKING

from remit.analysis.domain import ARG, CWD, HOME, SKILL, TEMP, UNKNOWN, Atom, Hole, Instance, Text, Value, text

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands.model import CallPlace

_MAX_TEXTS = 24  # values of one hole; more are one unknown text
_NAMES = {"HOME": HOME, "USERPROFILE": HOME, "TMPDIR": TEMP, "TMP": TEMP, "TEMP": TEMP}  # that move folders


class HoleValues:
    """The values of holes in one call."""

    def __init__(self, place: CallPlace) -> None:
        home, tmp = _literal(str(place.home)), _literal(str(place.tmp))
        self._fixed: dict[str, set[Text]] = {
            HOME: {home}, TEMP: {tmp}, SKILL: {Text(())},
            "env:HOME": {home}, "env:TMPDIR": {tmp}, "env:CLAUDE_PROJECT_DIR": {_literal(str(place.workspace))},
        }  # fmt: skip
        self._cwd = str(place.cwd)
        self.cwds: set[str] = set()  # folders of programs that cannot say so otherwise
        self._words: set[str] = set()  # command lines of programs
        self._open = False  # whether a program gets unknown words
        self._variables: dict[str, set[Text]] = {}
        self._set: Counter[str] = Counter()  # the number of programs that get each variable
        self._programs = 0

    def program(self, words: Iterable[str | None], env: Mapping[str, Iterable[Text]], cwds: Iterable[str]) -> None:
        """Record the start of a program with these words (None: unknown), variables and folders."""
        for word in words:
            if word is None:
                self._open = True
                continue
            self._words.add(word)
            value = word.partition("=")[2] if word.startswith("--") else word[2:] if word.startswith("-") else ""
            self._words |= {value} if value else set()  # an option may have its value in the same word
        for name, values in env.items():
            self._variables.setdefault(name, set()).update(values)
            self._set[name] += 1
        self.cwds.update(cwds)
        self._programs += 1

    def moved(self, env: Mapping[str, Value]) -> None:
        """Record variables that relocate the home folder or the temporary folder."""
        for name, place in _NAMES.items():
            if name in env:
                self._fixed[place] |= {item for item in env[name] if isinstance(item, Text)}

    def value(self, value: Value) -> Value:
        """Return a value with its holes filled."""
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
        itself = Text((part,))
        if not part.exact:
            return (Text((part._replace(origin=UNKNOWN),)) if part.origin == ARG else itself,)
        if part.origin == CWD:
            return tuple(map(_literal, sorted(self.cwds) or [self._cwd]))
        if part.origin == ARG:
            return tuple(map(_literal, sorted(self._words))) if self._words and not self._open else (itself,)
        name = part.origin.removeprefix("env:")
        known = self._variables.get(name) if name != part.origin else None
        if known is not None:
            outside = () if self._set[name] == self._programs else self._outside(part)
            return (*sorted(known, key=repr), *outside)
        return self._outside(part)

    def _outside(self, part: Hole) -> tuple[Text, ...]:
        return tuple(sorted(self._fixed.get(part.origin, {Text((part,))}), key=repr))


def _literal(word: str) -> Text:
    return Text((word,) if word else ())


def _open(atom: Atom) -> bool:
    if isinstance(atom, Instance):
        return bool(atom.payload)
    return isinstance(atom, Text) and any(isinstance(part, Hole) for part in atom.parts)
