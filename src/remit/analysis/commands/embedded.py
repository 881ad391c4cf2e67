"""Program texts with holes, as strings: each hole is one character of a private area while the text is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import NET, NUMERIC, Hole, Part, Text, text

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call

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


def foreign(call: Call, program: Source, harmless: frozenset[str] = frozenset({NUMERIC})) -> bool:
    """Whether unknown text in the program may be code. Text of the user or of files is a printed assumption.

    A sed or awk program with `$name` in it is written in good faith nearly always; text from the network may be an attack.
    """
    unsafe = [hole for hole in program.holes if hole.alphabet not in harmless]
    if any(hole.origin == NET for hole in unsafe):
        return True
    if unsafe:
        call.world.assume("text-in-programs", call.site)
    return False
