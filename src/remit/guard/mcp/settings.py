"""The settings of one proxy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from remit.guard.mcp.results import Bounds


class FirstUse(StrEnum):
    """What happens when a server is seen for the first time."""

    ASK = "ask"
    ACCEPT = "accept"
    DENY = "deny"


class Settings(NamedTuple):
    """One server, and how it is treated. Times are in seconds."""

    server: str  # the user's name for it: `mcp__SERVER__TOOL`
    origin: Mapping[str, Any]  # the command or the address
    cwd: str
    tell: Callable[[str], None]  # shows messages to a person at the proxy
    first_use: FirstUse = FirstUse.ASK
    answer_within: float = 300.0  # for an answer of a server, or of a model that it asks
    decide_within: float = 120.0  # for an answer of a user
    bounds: Bounds = Bounds()
    most_at_once: int = 256  # requests of one side
