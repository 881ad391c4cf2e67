"""Constants of the twin of rate limits: all small limits, and the length of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.models.explore.worlds.inbound import limits as world
from remit.models.tla.twin import Twin


def _constants() -> Mapping[str, Any]:
    return {"Limits": frozenset(one.limit for one in world.model().initial), "Last": world.LAST}


TWIN = Twin(_constants)
