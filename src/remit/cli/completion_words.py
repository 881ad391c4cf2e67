"""What shells show beside a word: one short line."""

from __future__ import annotations

_LONGEST = 70


def brief(text: str) -> str:
    """The first part of a help text, as long as a line can bear."""
    line = " ".join(text.split()).partition("; ")[0].rstrip(":")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
