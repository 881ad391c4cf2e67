"""A piece of a program: a text with the line of the file for each of its lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Piece:
    """`lines` has as many entries as the text has lines."""

    text: str
    lines: tuple[int, ...]

    @classmethod
    def whole(cls, text: str, line: int) -> Piece:
        """Return a text that is in the file unchanged, from a line on."""
        return cls(text, tuple(range(line, line + text.count("\n") + 1)))

    @classmethod
    def picked(cls, rows: list[tuple[int, str]], line: int) -> Piece:
        """Return some lines, by index, of a text that begins at a line."""
        return cls("\n".join(text for _, text in rows), tuple(line + index for index, _ in rows))
