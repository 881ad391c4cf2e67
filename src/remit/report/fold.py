"""Locations that say the same are one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from remit.core.effect import Effect, Opaque, Origin


class Line(NamedTuple):
    """One line of evidence."""

    place: str
    scope: str
    why: str
    path: str
    origin: str = ""  # where it is not a script, and not said above


class OpaqueLine(NamedTuple):
    """One reason, its first location, and the others in words."""

    place: str
    reason: str
    more: str
    remedy: str


def fold_effects(effects: Iterable[Effect], *, origins: bool = False) -> list[Line]:
    """Lines of evidence for one capability: one for each scope at each location, whatever leads there."""
    groups: dict[tuple[object, ...], list[Effect]] = {}
    for effect in effects:
        groups.setdefault((effect.scope.render(), effect.origin, effect.where), []).append(effect)
    return [_line(found, origins=origins) for found in groups.values()]


def _line(found: Sequence[Effect], *, origins: bool) -> Line:
    first = found[0]
    origin = str(first.origin) if origins and first.origin is not Origin.SCRIPT else ""
    calls = " → ".join(map(str, first.path))
    why = "; ".join(dict.fromkeys(effect.why for effect in found))
    return Line(str(first.where), first.scope.render(), why, calls, origin)


def fold_opaque(items: Iterable[Opaque]) -> list[OpaqueLine]:
    """One line for each reason, those of most locations first."""
    groups: dict[tuple[str, ...], list[Opaque]] = {}
    for item in items:
        groups.setdefault((item.reason, item.remedy), []).append(item)
    out: list[OpaqueLine] = []
    for found in sorted(groups.values(), key=lambda found: (-len(found), found[0].where)):
        others = [str(item.where) for item in found[1:]]
        more = f" (also {', '.join(others)})" if others else ""
        out.append(OpaqueLine(str(found[0].where), found[0].reason, more, found[0].remedy))
    return out
