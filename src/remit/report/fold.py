"""Places that say the same are one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location

_PLACES = 4  # places of one opaque reason, unless all are asked for


class Line(NamedTuple):
    """One line of evidence, standing for so many places."""

    place: str
    scope: str
    why: str
    places: int
    path: str


def fold_effects(effects: Iterable[Effect], *, all_places: bool = False) -> list[Line]:
    """Lines of evidence for one capability: one for each scope, or one for each place."""
    groups: dict[tuple[object, ...], list[Effect]] = {}
    for effect in effects:
        scope = effect.scope.render()
        groups.setdefault((scope, effect.where, effect.why) if all_places else (scope,), []).append(effect)
    return [
        Line(str(found[0].where), found[0].scope.render(), found[0].why, len(found), _calls(found[0].path))
        for found in groups.values()
    ]


def _calls(path: Sequence[Location]) -> str:
    return " → ".join(map(str, path))


def fold_opaque(items: Iterable[Opaque], *, all_places: bool = False) -> list[tuple[str, str, str]]:
    """Reason, remedy and places; reasons at most places first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for item in items:
        groups.setdefault((item.reason, item.remedy), []).append(str(item.where))
    out: list[tuple[str, str, str]] = []
    for (reason, remedy), places in sorted(groups.items(), key=lambda found: -len(found[1])):
        few = places if all_places or len(places) <= _PLACES + 1 else places[:_PLACES]
        more = f" … and {len(places) - len(few)} more places" if len(few) < len(places) else ""
        out.append((reason, remedy, ", ".join(few) + more))
    return out
