"""How many of what, in words: one way for everything that people read."""

from __future__ import annotations


def counted(number: int, word: str, several: str = "") -> str:
    """A number of things: `1 skill`, `1,200 skills`; `several` for words that take more than an s."""
    return f"{number:,} {word if number == 1 else several or word + 's'}"
