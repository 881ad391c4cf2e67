"""How often something may happen: all small limits, and how long the model looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.models.explore.worlds.inbound import limits as world
from remit.models.tla.twin import Twin

if TYPE_CHECKING:
    from collections.abc import Mapping


def _constants() -> Mapping[str, Any]:
    return {"Limits": frozenset(one.limit for one in world.model().initial), "Last": world.LAST}


TWIN = Twin(_constants)
