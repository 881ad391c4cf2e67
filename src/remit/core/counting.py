"""Numbers of things in words, for all texts that people read."""

from __future__ import annotations


def counted(number: int, word: str, several: str = "") -> str:
    """Return a number with its noun: `1 skill`, `1,200 skills`; `several` is the plural if it is irregular."""
    return f"{number:,} {word if number == 1 else several or word + 's'}"
