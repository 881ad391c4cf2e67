"""Constants of the twin of declassification: phases, handles, budget, and the answers of servers and executor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.handles import Sensitivity
from remit.gateway.transactions import Phase
from remit.models.explore.worlds import _parties as parties
from remit.models.explore.worlds import declassification as world
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    return {
        **by_name(Phase), **by_name(Sensitivity), "Handles": frozenset(one.handle for one in world.model().initial),
        "Callers": frozenset(one.name for one in world.CALLERS), "Sessions": frozenset(one.session for one in world.CALLERS),
        "Signed": world.WORD, "Lives": world.LONG, "Answers": frozenset({parties.FINE, parties.DOWN, parties.SILENT}),
        "Fine": parties.FINE, "Down": parties.DOWN, "Items": world.ITEMS, "Size": len(parties.VALUE), "Last": world.LAST,
    }  # fmt: skip


def _seen(state: world.World) -> Mapping[str, Any]:
    """What a transaction is bound to follows from its caller and session, and from whether somebody must be asked."""
    kept = state.kept
    parts = ("caller", "session", "confirm", "confirmation", "phase", "until")
    return {**state._asdict(), "kept": kept and {name: getattr(kept, name) for name in parts}}


TWIN = Twin(_constants, _seen)
