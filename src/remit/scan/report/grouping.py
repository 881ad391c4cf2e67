"""Groups of similar things: each is a centre with everything that is similar to it, so that no chain leads far away."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Group(NamedTuple):
    """The first of the members is the centre; `similarity` is that of the member which is least like it."""

    members: tuple[int, ...]
    similarity: float


def grouped(pairs: Iterable[tuple[int, int, float]], sizes: Mapping[int, int]) -> list[Group]:
    """Each thing in one group at most. The largest that is left becomes a centre and takes what is similar to it and free."""
    near: dict[int, dict[int, float]] = {}
    for one, other, similarity in pairs:
        near.setdefault(one, {})[other] = similarity
        near.setdefault(other, {})[one] = similarity
    taken: set[int] = set()
    out = []
    for centre in sorted(near, key=lambda thing: (-sizes[thing], thing)):
        if centre in taken:
            continue
        free = sorted(thing for thing in near[centre] if thing not in taken)
        if free:
            taken.update((centre, *free))
            out.append(Group((centre, *free), min(near[centre][thing] for thing in free)))
    return out
