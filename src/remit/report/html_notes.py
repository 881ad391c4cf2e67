"""Notes on a source line: each capability with its scopes; and the ways that lead there, once for all that share them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Opaque, Origin
from remit.report.html_words import mark, place_link, said
from remit.report.map_model import Stand, Stands
from remit.report.markup import Html, joined, tag

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.report.html_model import Anchors

    Way = tuple[Origin, tuple[Location, ...]]  # what triggers it, and the calls that lead to it
    Said = tuple[str, Stand, str]  # a capability, its standing, and the cause

_WHO = {Origin.SCRIPT: "a script", Origin.INSTRUCTED: "the text asks for it", Origin.HOOK: "runs by itself"}
_WORTH = 400  # repetitions of this length become a link instead
_LOUD = (Stand.OUTSIDE, Stand.DENIED)  # also shown by a word
_PLAIN = ((Origin.SCRIPT, ()),)  # the usual trigger, which need not be mentioned


class Notes:
    """Notes of one file, line by line: what was said in the same words about an earlier line becomes a link to it."""

    def __init__(self, stands: Stands, anchors: Anchors) -> None:
        self._stands, self._anchors = stands, anchors
        self._said: dict[tuple[Html, ...], Location] = {}

    def at(self, place: Location, opaque: Sequence[Opaque], effects: Sequence[Effect]) -> list[Html]:
        """Return everything on a line."""
        told = _notes(opaque, effects, self._stands, self._anchors)
        first = self._said.setdefault(tuple(told), place)
        wrong = opaque or any(self._stands.of(effect) in _LOUD for effect in effects)
        if first == place or sum(map(len, told)) < _WORTH or wrong:
            return told
        names = ", ".join(dict.fromkeys(effect.capability for effect in effects))
        return [tag("div", f"{names}: as on ", tag("a", f"line {first.line}", href=f"#{self._anchors.place(first)}"))]


def _notes(opaque: Iterable[Opaque], effects: Iterable[Effect], stands: Stands, anchors: Anchors) -> list[Html]:
    out = [_opaque(item) for item in dict.fromkeys(opaque)]
    for ways, found in sorted(_by_ways(effects, stands).items(), key=lambda group: group[0] != _PLAIN):
        told = [_effects(one, scopes, anchors) for one, scopes in found.items()]
        out += told if ways == _PLAIN else [tag("div", tag("div", *_ways(ways, anchors)), *told, class_="ways")]
    return out


def _by_ways(effects: Iterable[Effect], stands: Stands) -> dict[tuple[Way, ...], dict[Said, list[str]]]:
    """Group effects by their triggers; scopes of otherwise equal effects are combined."""
    ways: dict[tuple[Said, str], dict[Way, None]] = {}
    for effect in effects:
        key = (effect.capability, stands.of(effect), effect.why), effect.scope.render()
        ways.setdefault(key, {})[effect.origin, effect.path] = None
    out: dict[tuple[Way, ...], dict[Said, list[str]]] = {}
    for (one, scope), found in ways.items():
        out.setdefault(tuple(sorted(found, key=_order)), {}).setdefault(one, []).append(scope)
    return out


def _order(way: Way) -> tuple[int, tuple[Location, ...]]:
    origin, path = way
    return tuple(Origin).index(origin), path


def _ways(ways: Iterable[Way], anchors: Anchors) -> Iterator[str]:
    for number, (origin, path) in enumerate(ways):
        yield f"{'; ' if number else ''}{_WHO[origin]}"
        if path:
            yield ", called from "
            yield joined([place_link(place, anchors) for place in path], " → ")


def _effects(one: Said, scopes: Iterable[str], anchors: Anchors) -> Html:
    capability, stand, why = one
    return tag(
        "div",
        mark(stand, str(vocabulary()[capability].level)),
        tag("a", capability, href=f"#{anchors.capability(capability)}"),
        " ",
        joined([tag("code", scope) for scope in scopes], ", "),
        tag("strong", f" {stand}") if stand in _LOUD else "",
        " ",
        tag("i", said(why)),
    )


def _opaque(item: Opaque) -> Html:
    todo = [tag("div", "→ ", said(item.remedy), class_="todo")] if item.remedy else []
    return tag("div", mark(Stand.UNKNOWN), said(item.reason), *todo)
