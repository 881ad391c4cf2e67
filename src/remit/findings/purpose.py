"""What a skill is about, as far as its name and description say it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_FILE = Path(__file__).with_name("data") / "purposes.table"
_SHORT = 3  # letters: a beginning as short as this counts as a whole word only


@cache
def _purposes() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in read_table(_FILE, 1):
        found[row.section].append(row.cells[0])
    return {name: tuple(words) for name, words in found.items()}


def is_about(subject: Subject, purpose: str) -> bool:
    """Whether the description speaks of a purpose."""
    words = f" {' '.join(subject.announced)}"
    return any(_spoken(subject, stem, words) for stem in _purposes()[purpose])


def _spoken(subject: Subject, stem: str, words: str) -> bool:
    if not stem.isalnum():
        return stem in subject.description
    if len(stem) <= _SHORT:
        return stem in subject.announced or f"{stem}s" in subject.announced
    return f" {stem}" in words
