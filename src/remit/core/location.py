"""Locations in a skill."""

from __future__ import annotations

from typing import NamedTuple


class Location(NamedTuple):
    """A location in a skill: a POSIX path relative to the skill folder, and a line counted from 1 (0: the whole file)."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file
