"""Calls of tools: the tools, and the names of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.models.explore.worlds.inbound import tool_calls
from remit.models.tla.twin import Twin

if TYPE_CHECKING:
    from collections.abc import Mapping


def _constants() -> Mapping[str, Any]:
    return {"Tools": tool_calls.TOOLS, "Ids": tool_calls.IDS}


TWIN = Twin(_constants)
