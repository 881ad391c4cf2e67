"""A report on the results of scans: runs the queries of `sql/` one after the other, and returns their results as
values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope.forms import ScopeKind
from remit.findings.model import Severity
from remit.scan.report.query_base import LEAST, LEVELS, Options, value, values, weights, worst_first
from remit.scan.report.store import Store
from remit.scan.report.values import (
    Alike,
    CapabilityChange,
    CapabilityCount,
    ChangeCounts,
    Changed,
    Changes,
    Count,
    ErrorCount,
    Findings,
    FirstLine,
    Impostor,
    Impostors,
    Located,
    Near,
    OpaqueReason,
    Overview,
    Ranked,
    Reached,
    ReportedFinding,
    RuleCount,
    Twins,
)

if TYPE_CHECKING:
    from pathlib import Path


def changes(store: Store, options: Options) -> Changes:
    """Return what was added or removed, and what can do other things than before."""
    store.do("stage_change", levels=LEVELS)
    store.do("stage_widened")
    (counts,) = store.ask("changes_sum")
    found = store.ask("changed", weights=weights(), levels=LEVELS, top=options.top)
    shown = worst_first(store, found, "gained")
    wider: dict[str, list[FirstLine]] = {}
    for one in store.ask("widened", locations=[one["location"] for one in found]):
        wider.setdefault(one["location"], []).append(FirstLine(one["capability"], one["scope"], **one["place"]))
    changed = [
        value(Changed, one, places=places, widened=tuple(wider.get(one["location"], ())))
        for one, places in zip(found, shown, strict=True)
    ]
    lists = {
        kind: values(Located, store.ask("came", kind=kind, top=options.top)) for kind in ("new", "gone", "unknown")
    }
    capabilities = values(CapabilityChange, store.ask("changes_capabilities"))
    return Changes(value(ChangeCounts, counts), capabilities, tuple(changed), **lists)


# Skills that do the same, or nearly, without being copies; and those that have a name which others have, and do more.
#
# Sets of effects are compared exactly (`grouping`). Where there are too many to compare, that is counted.
# Groups of similar sets: each is a centre with all that are similar to it and to no earlier centre, so that no chain leads far away.
#
# Two sets are similar if what they have in common is a large enough share of what they have together (Jaccard). No similar centre is
# missed, though few are looked at: of two similar sets with n elements each, whatever the order, one of the first n - ⌈share·n⌉ + 1
# elements of one is among those of the other. The order is by rarity, so that few sets have a first element in common.
_CLOSE = 1e-9  # shares are compared as numbers with a point


class Group(NamedTuple):
    """The first of the members is the centre; `similarity` is that of the least similar member."""

    members: tuple[int, ...]
    skills: int
    similarity: float


class Grouped(NamedTuple):
    """All groups of two or more, and how many sets were not compared because the limit of comparisons was reached."""

    groups: tuple[Group, ...]
    uncompared: int


class _Centre(NamedTuple):
    elements: frozenset[int]
    members: list[int]
    skills: list[int]
    similarities: list[float]


def grouped(sets: Iterable[tuple[int, int, Sequence[int]]], share: float, most: int) -> Grouped:
    """Group sets, given with their names, numbers of skills, and their elements from the rarest on.

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


def alike(store: Store, options: Options) -> Alike:
    """Return twins, and groups of similar sets of effects."""
    store.do("stage_shape")
    (twins,) = store.ask("twins_sum", least=LEAST)
    near_groups, near_skills, near, uncompared = _near(store, options)
    return Alike(
        least=LEAST,
        similar=options.similar,
        twin_groups=twins["groups"],
        twin_skills=twins["skills"],
        small_groups=twins["small_groups"],
        near_groups=near_groups,
        near_skills=near_skills,
        uncompared=uncompared,
        twins=values(Twins, store.ask("twins", least=LEAST, top=options.top)),
        near=near,
    )


def _near(store: Store, options: Options) -> tuple[int, int, tuple[Near, ...], int]:
    """Return the number of groups and skills, the largest groups, and what was left out."""
    store.do("stage_trait", least=LEAST)
    groups, uncompared = grouped(store.each("ranked", least=LEAST), options.similar, options.comparisons)
    shown = sorted(groups, key=lambda group: (-group.skills, group.members))[: options.top]
    members = [{"group": at, "shape": shape} for at, group in enumerate(shown) for shape in group.members]
    told = store.ask("members", groups=members) if members else []
    near = [value(Near, one, similarity=round(shown[one["group"]].similarity, 2)) for one in told]
    return len(groups), sum(group.skills for group in groups), tuple(near), uncompared


def impostors(store: Store, options: Options) -> Impostors:
    """Return variants of a name that can do more than the usual one."""
    found = store.ask("impostors", weights=weights(), top=options.top)
    shown = worst_first(store, found, "beyond")
    listed = [value(Impostor, one, places=places) for one, places in zip(found, shown, strict=True)]
    first = found[0] if found else {"all_odd": 0, "all_alike": 0}
    return Impostors(first["all_odd"], first["all_alike"], tuple(listed))


_SHOWN = 3  # findings of a skill in a list
_UNNAMED = 5  # kinds of hosts or programs that are not single known ones


def report(
    files: Sequence[Path],
    against: Sequence[Path] = (),
    options: Options = Options(),  # noqa: B008  a frozen value
    step: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Return a report on some results, with changes since others. `step` is called with what comes next."""
    with Store(options.memory) as store:
        step("reading")
        store.load(files)
        if against:
            store.load_before(against)
        found: dict[str, Any] = {}
        for title, ask in PARTS.items():
            step(title)
            found |= ask(store, options)
        if against:
            step("changes")
        return Findings(**found, changes=changes(store, options) if against else None)


def _counts(store: Store, options: Options) -> Mapping[str, Any]:
    return {
        "overview": value(Overview, store.ask("overview")[0]),
        "levels": values(Count, store.ask("levels", levels=LEVELS)),
        "guarantees": values(Count, store.ask("guarantees")),
        "verdicts": values(Count, store.ask("verdicts")),
        "errors": values(ErrorCount, store.ask("errors", top=options.top)),
        "capabilities": values(CapabilityCount, store.ask("capabilities")),
    }


def _findings(store: Store, options: Options) -> Mapping[str, Any]:
    severities = [str(one) for one in Severity]
    store.do("stage_finding", severities=severities)
    worst = store.ask("worst", levels=LEVELS, shown=_SHOWN, top=options.top)
    return {
        "worst": tuple(
            value(Ranked, one, findings=tuple(ReportedFinding(**item) for item in one["findings"])) for one in worst
        ),
        "rules": values(RuleCount, store.ask("rules")),
    }


def _opaque(store: Store, options: Options) -> Mapping[str, Any]:
    return {
        name: values(OpaqueReason, store.ask("opaque", kinds=kinds, top=options.top))
        for name, kinds in (("opaque_kinds", True), ("opaque_reasons", False))
    }


def _reached(store: Store, options: Options) -> Mapping[str, Any]:
    found = {}
    for name, kind in (("hosts", ScopeKind.HOST), ("programs", ScopeKind.PROGRAM)):
        on = [one.name for one in vocabulary() if one.scope_kind is kind]
        for field, named, top in ((name, True, options.top), (f"unnamed_{name}", False, _UNNAMED)):
            found[field] = values(Reached, store.ask("reach", capabilities=on, named=named, top=top))
    return found


PARTS: Mapping[str, Callable[[Store, Options], Mapping[str, Any]]] = {
    "counts": _counts,
    "findings": _findings,
    "opaque places": _opaque,
    "hosts and programs": _reached,
    "similar skills": lambda store, options: {"alike": alike(store, options)},
    "names": lambda store, options: {"impostors": impostors(store, options)},
}
