"""The map of a skill as a tree: the skill, its capabilities, and their scopes; the worst first.

Opaque locations are beside the capabilities, because they could be any of them, with the reasons below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.proof import Verdict
from remit.report.wording import rank, verdict_words

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.effect import Effect, Opaque, Origin
    from remit.core.location import Location

SCOPES = 8  # scopes of one capability, before the others are folded


class NodeKind(StrEnum):
    """The kind of a node."""

    SKILL = "skill"
    CAPABILITY = "capability"
    SCOPE = "scope"
    OPAQUE = "opaque"  # the parent of all reasons
    REASON = "reason"
    MORE = "more"  # scopes or reasons that are folded


class Stand(StrEnum):
    """How a node compares with the manifest, the worst first."""

    OUTSIDE = "escapes"
    UNKNOWN = "opaque"
    DENIED = "denied"
    UNDECLARED = "undeclared"
    INSIDE = "inside"


_ORDER = tuple(Stand)
_VERDICTS = {
    Verdict.ESCAPES: Stand.OUTSIDE,
    Verdict.OPAQUE: Stand.UNKNOWN,
    Verdict.UNDECLARED: Stand.UNDECLARED,
    Verdict.CONTAINED: Stand.INSIDE,
}


class Node(NamedTuple):
    """One node of the map; `places` are the lines that it stands for."""

    kind: NodeKind
    name: str  # of the skill or capability; a scope, a reason; for a folded node, the number of items
    stand: Stand
    capability: str = ""  # the capability of a scope
    places: tuple[Location, ...] = ()
    origins: frozenset[Origin] = frozenset()
    below: tuple[Node, ...] = ()
    note: str = ""  # an additional word: why it escapes, what to do


def capability_map(report: Report, most: int = SCOPES) -> Node:
    """Return the skill with everything below it; `most` scopes or reasons of one node are shown, unless only one would
    be folded.
    """
    found = report.found
    stands = Stands(report)
    groups: dict[str, list[Effect]] = {}
    for effect in found.effects:
        groups.setdefault(effect.capability, []).append(effect)
    below = [_capability(name, groups[name], stands, most) for name in sorted(groups, key=rank)]
    below.sort(key=lambda node: _ORDER.index(node.stand) > 0)
    if found.opaque:
        below.append(_opaque(found.opaque, most))
    note = verdict_words(report) if report.manifest or report.failure else report.level.words
    return Node(NodeKind.SKILL, found.skill, stand_of(report), below=tuple(below), note=note)


def words(root: Node) -> str:
    """Return the map in sentences, for people who do not see it."""
    said = [f"{root.name}: {root.note}"]
    for node in root.below:
        level = f", {vocabulary()[node.name].level}" if node.kind is NodeKind.CAPABILITY else ""
        inner = ", ".join(f"{one.name} ({one.stand})" if one.kind is NodeKind.SCOPE else one.name for one in node.below)
        said.append(f"{node.name}{level}: {inner}")
    return ". ".join(said) + "."


def stand_of(report: Report) -> Stand:
    """Return how a skill as a whole compares."""
    return Stand.UNKNOWN if report.failure else _VERDICTS[report.verdict]


class Stands:
    """How each effect of a report compares with the manifest."""

    def __init__(self, report: Report) -> None:
        self._usual = Stand.INSIDE if report.manifest else Stand.UNDECLARED
        self._wrong = {item.effect: (Stand.OUTSIDE, item.remedy) for item in report.containment.escapes}
        for item in report.containment.denied:
            self._wrong[item.effect] = Stand.DENIED, f"the manifest denies {item.entry.capability} {item.entry.place}"

    def of(self, effect: Effect) -> Stand:
        """Return the result for one effect."""
        return self._wrong.get(effect, (self._usual, ""))[0]

    def note(self, effect: Effect) -> str:
        """Return what to do about it, or who denies it."""
        return self._wrong.get(effect, (self._usual, ""))[1]


def _capability(name: str, effects: Sequence[Effect], stands: Stands, most: int) -> Node:
    groups: dict[tuple[str, Stand], list[Effect]] = {}
    for effect in effects:
        groups.setdefault((effect.scope.render(), stands.of(effect)), []).append(effect)
    scopes = [
        Node(NodeKind.SCOPE, scope, stand, name, _places(found), _origins(found), note=stands.note(found[0]))
        for (scope, stand), found in groups.items()
    ]
    scopes.sort(key=lambda node: _ORDER.index(node.stand))
    below, meaning = _folded(scopes, most, "scope", name), vocabulary()[name].meaning
    return Node(NodeKind.CAPABILITY, name, scopes[0].stand, name, _places(effects), _origins(effects), below, meaning)


def _opaque(items: Sequence[Opaque], most: int) -> Node:
    groups: dict[tuple[str, str], list[Opaque]] = {}
    for item in items:
        groups.setdefault((item.reason, item.remedy), []).append(item)
    reasons = [
        Node(NodeKind.REASON, reason, Stand.UNKNOWN, "", _places(found), _origins(found), note=remedy)
        for (reason, remedy), found in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]
    below = _folded(reasons, most, "reason", "")
    note = "what is not understood could do anything"
    return Node(NodeKind.OPAQUE, "not understood", Stand.UNKNOWN, "", _places(items), _origins(items), below, note)


def _folded(nodes: list[Node], most: int, word: str, capability: str) -> tuple[Node, ...]:
    """Return a number of nodes, and one for the others. A single node is never folded: its line would be as long."""
    if len(nodes) <= most + 1:
        return tuple(nodes)
    shown, hidden = nodes[:most], nodes[most:]
    places = tuple(place for node in hidden for place in node.places)
    origins = frozenset(origin for node in hidden for origin in node.origins)
    more = Node(
        NodeKind.MORE, f"… and {counted(len(hidden), f'more {word}')}", hidden[0].stand, capability, places, origins
    )
    return (*shown, more)


def _places(found: Iterable[Effect | Opaque]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(one.where for one in found))


def _origins(found: Iterable[Effect | Opaque]) -> frozenset[Origin]:
    return frozenset(one.origin for one in found)
