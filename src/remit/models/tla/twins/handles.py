"""Constants of the twin of handles: sensitivities, names of sinks, and what can be minted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME
from remit.gateway.handles import Sensitivity
from remit.models.explore.worlds import handles as world
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    return {
        **by_name(Sensitivity), "Runtime": RUNTIME, "Anywhere": ANYWHERE, "Nowhere": NOWHERE, "Minted": frozenset(world.MINTED),
        "Callers": frozenset(world.CALLERS), "Sessions": frozenset(world.SESSIONS), "Sinks": frozenset(world.SINKS),
        "Last": world.LAST,
    }  # fmt: skip


TWIN = Twin(_constants)
