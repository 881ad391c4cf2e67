"""Matching of the skills of two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.manifest.drift.model import Summary


class SkillSide(NamedTuple):
    """A skill on one side: its relative path, the path for reports, and its summary."""

    path: str
    shown: str
    summary: Summary


def pair(old: Sequence[SkillSide], new: Sequence[SkillSide]) -> list[tuple[SkillSide | None, SkillSide | None]]:
    """Return each skill with its counterpart, or alone. A single skill on each side is a pair, whatever the names."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    left, right = list(old), list(new)
    pairs: list[tuple[SkillSide | None, SkillSide | None]] = []
    for key in (_name_and_path, _name, _path):
        for one, other in _matching(left, right, key):
            pairs.append((one, other))
            left.remove(one)
            right.remove(other)
    pairs += [(one, None) for one in left]
    pairs += [(None, other) for other in right]
    return sorted(pairs, key=lambda item: _order(item[1] or item[0]))


def _matching(
    left: Sequence[SkillSide], right: Sequence[SkillSide], key: Callable[[SkillSide], object]
) -> Iterator[tuple[SkillSide, SkillSide]]:
    """Return pairs by a key that is unique on each side: of two skills with one name neither is taken for the other."""
    counts = [Counter(map(key, side)) for side in (left, right)]
    there = {key(item): item for item in right}
    for one in list(left):
        if counts[0][key(one)] == counts[1][key(one)] == 1:
            yield one, there[key(one)]


def _name_and_path(item: SkillSide) -> object:
    return item.summary.name, item.path


def _name(item: SkillSide) -> object:
    return item.summary.name


def _path(item: SkillSide) -> object:
    return item.path


def _order(item: SkillSide | None) -> tuple[str, str]:
    return (item.summary.name, item.path) if item else ("", "")
