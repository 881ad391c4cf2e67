"""What changed since another scan of the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.scan.report.lines import worst_first
from remit.scan.report.query_base import LEVELS, Options, value, values, weights
from remit.scan.report.values import CapabilityChange, ChangeCounts, Changed, Changes, Located, Place

if TYPE_CHECKING:
    from remit.scan.report.store import Store


def changes(store: Store, options: Options) -> Changes:
    """What came, went, and can do other things than before."""
    store.do("stage_change", levels=LEVELS)
    store.do("stage_widened")
    (counts,) = store.ask("changes_sum")
    found = store.ask("changed", weights=weights(), levels=LEVELS, top=options.top)
    shown = worst_first(store, found, "gained")
    wider: dict[str, list[Place]] = {}
    for one in store.ask("widened", locations=[one["location"] for one in found]):
        wider.setdefault(one["location"], []).append(Place(one["capability"], one["scope"], **one["place"]))
    changed = [
        value(Changed, one, places=places, widened=tuple(wider.get(one["location"], ())))
        for one, places in zip(found, shown, strict=True)
    ]
    lists = {
        kind: values(Located, store.ask("came", kind=kind, top=options.top)) for kind in ("new", "gone", "unknown")
    }
    capabilities = values(CapabilityChange, store.ask("changes_capabilities"))
    return Changes(value(ChangeCounts, counts), capabilities, tuple(changed), **lists)
