"""Constants of the twin of transactions: phases, possible beginnings, and callers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.transactions import Phase
from remit.models.explore.worlds import transactions as world
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    right, shown = world.REQUESTS[0], world.PREVIEWS[0]
    return {
        **by_name(Phase), "Begun": frozenset(world.BEGUN), "Callers": frozenset(world.CALLERS),
        "Sessions": frozenset(world.SESSIONS), "Requests": frozenset(world.REQUESTS),
        "Previews": frozenset(world.PREVIEWS), "Right": right, "Shown": shown, "Signed": world.WORDS, "Last": world.LAST,
    }  # fmt: skip


TWIN = Twin(_constants)
