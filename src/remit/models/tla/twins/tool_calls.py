"""Constants of the twin of tool calls: tools, and names of calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.models.explore.worlds.inbound import tool_calls
from remit.models.tla.twin import Twin


def _constants() -> Mapping[str, Any]:
    return {"Tools": tool_calls.TOOLS, "Ids": tool_calls.IDS}


TWIN = Twin(_constants)
