"""Texts for people: invisible characters, suggestions of names, and lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from remit.core.patterns import lazy_pattern

# Characters that steer a terminal or hide or reorder what stands beside them: controls, zero-width ones, directions,
# separators, marks of order, and the invisible tags of plane 14.
HIDDEN = lazy_pattern(
    r"[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff]"
)


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question with the name that was probably meant, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (only a wrong document needs it)

    close = get_close_matches(name, list(known), 1)
    return f"did you mean `{close[0]}`? " if close else ""


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return names in backticks, as a sentence lists them."""
    *most, final = [f"`{word}`" for word in words]
    return f"{', '.join(most)} {last} {final}" if most else final
