"""Skills that do the same, or nearly, without being copies; and those that have a name which others have, and do more.

Sets of effects are compared exactly (`grouping`). Where there are too many to compare, that is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.scan.report.lines import worst_first
from remit.scan.report.query_base import LEAST, Options, value, values, weights
from remit.scan.report.similarity_groups import grouped
from remit.scan.report.values import Alike, Impostor, Impostors, Near, Twins

if TYPE_CHECKING:
    from remit.scan.report.store import Store


def alike(store: Store, options: Options) -> Alike:
    """Twins, and groups of sets of effects that are similar."""
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
    """How many groups and skills there are, the largest, and what was left out."""
    store.do("stage_trait", least=LEAST)
    groups, uncompared = grouped(store.each("ranked", least=LEAST), options.similar, options.comparisons)
    shown = sorted(groups, key=lambda group: (-group.skills, group.members))[: options.top]
    members = [{"group": at, "shape": shape} for at, group in enumerate(shown) for shape in group.members]
    told = store.ask("members", groups=members) if members else []
    near = [value(Near, one, similarity=round(shown[one["group"]].similarity, 2)) for one in told]
    return len(groups), sum(group.skills for group in groups), tuple(near), uncompared


def impostors(store: Store, options: Options) -> Impostors:
    """Variants of a name that can do more than the usual one."""
    found = store.ask("impostors", weights=weights(), top=options.top)
    shown = worst_first(store, found, "beyond")
    listed = [value(Impostor, one, places=places) for one, places in zip(found, shown, strict=True)]
    first = found[0] if found else {"all_odd": 0, "all_alike": 0}
    return Impostors(first["all_odd"], first["all_alike"], tuple(listed))
