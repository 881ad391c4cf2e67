"""Places that say the same are one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.effect import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.effect import Effect, Opaque

_PLACES = 4  # places of one opaque reason, unless all are asked for


class Line(NamedTuple):
    """One line of evidence, standing for so many places."""

    place: str
    scope: str
    why: str
    places: int
    path: str
    origin: str = ""  # where it is not a script, and not said above


class OpaqueLine(NamedTuple):
    """One reason, its first place, and the others in words."""

    place: str
    reason: str
    more: str
    remedy: str


def fold_effects(effects: Iterable[Effect], *, all_places: bool = False, origins: bool = False) -> list[Line]:
    """Lines of evidence for one capability: one for each scope, or one for each place."""
    groups: dict[tuple[object, ...], list[Effect]] = {}
    for effect in effects:
        scope = effect.scope.render()
        key = (scope, effect.origin, effect.where, effect.why) if all_places else (scope, effect.origin)
        groups.setdefault(key, []).append(effect)
    return [_line(found, origins=origins) for found in groups.values()]


def _line(found: Sequence[Effect], *, origins: bool) -> Line:
    first = found[0]
    origin = str(first.origin) if origins and first.origin is not Origin.SCRIPT else ""
    calls = " → ".join(map(str, first.path))
    return Line(str(first.where), first.scope.render(), first.why, len(found), calls, origin)


def fold_opaque(items: Iterable[Opaque], *, all_places: bool = False) -> list[OpaqueLine]:
    """One line for each reason, those of most places first; or one for each place."""
    groups: dict[tuple[str, ...], list[Opaque]] = {}
    for item in items:
        key = (item.reason, item.remedy, str(item.where)) if all_places else (item.reason, item.remedy)
        groups.setdefault(key, []).append(item)
    out: list[OpaqueLine] = []
    for found in sorted(groups.values(), key=lambda found: (-len(found), found[0].where)):
        others = [str(item.where) for item in found[1:]]
        few = others if len(others) <= _PLACES + 1 else others[:_PLACES]
        more = (
            f" (also {', '.join(few)}{f' and {len(others) - len(few)} more places' if len(few) < len(others) else ''})"
        )
        out.append(OpaqueLine(str(found[0].where), found[0].reason, more if others else "", found[0].remedy))
    return out
