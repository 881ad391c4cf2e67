"""Short descriptions that shells show beside a word."""

from __future__ import annotations

_LONGEST = 70


def brief(text: str) -> str:
    """Return the first part of a help text that fits a line."""
    line = " ".join(text.split()).partition("; ")[0].rstrip(":")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
