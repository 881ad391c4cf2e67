"""Programs in small languages: their texts with holes, and what a hole in them may do.

While a text is read each of its holes is one character of a private area. A hole inside a string, a pattern or a value of a
program that is known otherwise is *placed*: it is meant as data. Every other hole may be the program itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, FLAT, MIXED, SEGMENT, UNKNOWN, Hole, Part, Text, Value, lit, of_caller, text
from remit.analysis.injection import raw
from remit.analysis.scopes import giver
from remit.analysis.skillfiles import given
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Child, Site, World

_FIRST = 0xF0000
_LAST = 0xF0FFF


class Source(str):
    """A program text; `holes` are what its private characters stand for."""

    __slots__ = ("holes",)
    holes: tuple[Hole, ...]


def source(item: Text) -> Source:
    """A text as a string that can be scanned."""
    holes: list[Hole] = []
    pieces = []
    for part in item.parts:
        if isinstance(part, str):
            pieces.append(part)
        else:
            pieces.append(chr(_FIRST + len(holes)))
            holes.append(part)
    out = Source("".join(pieces))
    out.holes = tuple(holes)
    return out


def is_hole(char: str) -> bool:
    """Whether a character stands for a hole."""
    return len(char) == 1 and _FIRST <= ord(char) <= _LAST


def restored(piece: str, whole: Source) -> Text:
    """A piece of a program text as a text again."""
    parts: list[Part] = []
    for char in piece:
        index = ord(char) - _FIRST
        parts.append(whole.holes[index] if is_hole(char) and index < len(whole.holes) else char)
    return text(*parts)


class Program:
    """One program text while it is read. `args`: the words that it gets."""

    def __init__(
        self, world: World, language: str, item: Text, site: Site, child: Child, args: tuple[Value, ...]
    ) -> None:
        self.world, self.site, self.child, self.args = world, site, child, args
        self.language = language
        self.text = source(item)
        self._placed: set[str] = set()
        self._harmless: set[str] = set()

    def effect(self, capability: str, scope: Value) -> None:
        """Report an effect of the program."""
        self.world.effect(capability, scope, self.site, Via(Cause.COMMAND, self.language), cwd=self.child.cwd)

    def opaque(self, reason: str, remedy: str = "") -> None:
        """Report that the program is not understood."""
        self.world.opaque(reason, self.site, remedy)

    def shell(self, command: Value, stdin: Value | None = None) -> None:
        """The program starts a shell that runs a text."""
        self.effect("shell.execute", lit("sh"))
        child = self.child if stdin is None else self.child._replace(stdin=stdin)
        self.world.run_code("shell", command, self.site, child=child)

    def value(self, piece: str) -> Value:
        """A piece of the program as a value."""
        return frozenset({restored(piece, self.text)})

    def place(self, piece: str, *, end: str = "") -> None:
        """Note that the holes of a piece stand where data stands; a name of a file never holds the slash that ends it."""
        for char in filter(is_hole, piece):
            self._placed.add(char)
            if end == "/" and self.text.holes[ord(char) - _FIRST].alphabet in {SEGMENT, FLAT}:
                self._harmless.add(char)

    def holes(self) -> list[tuple[Hole, bool]]:
        """The holes that can hold more than a number or a folder, and whether they are placed."""
        if not any(not is_hole(char) and not char.isspace() for char in self.text):
            self._placed.clear()  # the caller's or a file's own program
        marks = [(chr(_FIRST + index), hole) for index, hole in enumerate(self.text.holes)]
        return [(hole, mark in self._placed) for mark, hole in marks if raw(hole) and mark not in self._harmless]


def judge_holes(program: Program, bound: tuple[str, ...]) -> None:
    """Report what unknown text in a program can do; `bound` are the only capabilities of the language, if there are few.

    Text of the caller that is meant as data is a printed assumption. Any other text may be code, as it may in a shell program.
    """
    for hole, placed in program.holes():
        if placed and (of_caller(hole) or hole.origin == MIXED):
            program.world.assume("text-in-programs", program.site)
        elif bound:
            for capability in bound:
                program.effect(capability, ANY)
        else:
            via = Via(
                Cause.CODE, program.language, words="text that is not part of the skill is put into a program of {}"
            )
            program.world.effect("source.execute", giver(hole), program.site, via)
            if hole.origin == UNKNOWN or not (placed or given(hole)):
                program.opaque(f"text that is not known is run by `{program.language}`", "run a program of the skill")
