"""Groups of similar sets: each is a centre with all that are similar to it and to no earlier centre, so that no chain leads far away.

Two sets are similar if what they have in common is a large enough share of what they have together (Jaccard). No similar centre is
missed, though few are looked at: of two similar sets with n elements each, whatever the order, one of the first n - ⌈share·n⌉ + 1
elements of one is among those of the other. The order is by rarity, so that few sets have a first element in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

_CLOSE = 1e-9  # shares are compared as numbers with a point


class Group(NamedTuple):
    """The first of the members is the centre; `similarity` is that of the member which is least like it."""

    members: tuple[int, ...]
    skills: int
    similarity: float


class Grouped(NamedTuple):
    """All groups of two or more, and how many sets were compared with nothing because too many had been compared before."""

    groups: tuple[Group, ...]
    uncompared: int


class _Centre(NamedTuple):
    elements: frozenset[int]
    members: list[int]
    skills: list[int]
    similarities: list[float]


def grouped(sets: Iterable[tuple[int, int, Sequence[int]]], share: float, most: int) -> Grouped:
    """Groups of sets, given with their names, how many skills have them, and their elements from the rarest on.

    Each set joins the first centre that is similar, or becomes one. After `most` comparisons the rest is left out.
    """
    centres: list[_Centre] = []
    having: dict[tuple[int, int], list[int]] = {}  # by an element and a size: such centres with it among their first
    compared = uncompared = 0
    for name, skills, elements in sets:
        if compared >= most:
            uncompared += 1
            continue
        own = frozenset(elements)
        sizes = range(
            ceil(share * len(own) - _CLOSE), int(len(own) / share + _CLOSE) + 1
        )  # of sets that can be similar
        first = elements[: len(elements) - ceil(share * len(elements) - _CLOSE) + 1]
        for at in sorted({at for element in first for size in sizes for at in having.get((element, size), ())}):
            centre = centres[at]
            compared += 1
            similarity = _similarity(own, centre.elements)
            if similarity >= share - _CLOSE:
                centre.members.append(name)
                centre.skills.append(skills)
                centre.similarities.append(similarity)
                break
        else:
            for element in first:
                having.setdefault((element, len(own)), []).append(len(centres))
            centres.append(_Centre(own, [name], [skills], []))
    return Grouped(tuple(_groups(centres)), uncompared)


def _groups(centres: Iterable[_Centre]) -> Iterator[Group]:
    for centre in centres:
        if centre.similarities:
            yield Group(tuple(centre.members), sum(centre.skills), min(centre.similarities))


def _similarity(one: frozenset[int], other: frozenset[int]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)
