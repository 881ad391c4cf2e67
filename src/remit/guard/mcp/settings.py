"""The settings of one proxy, and the MCP requests that it knows (`data/mcp_methods.table`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table
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


TABLE = Path(__file__).parents[1] / "data" / "mcp_methods.table"
SIDES = ("client", "server")
LONGEST_NAME = 2000
_TOOL = re.compile(r"(?:(?P<kind>[a-z]+):)?(?:\{(?P<field>\w+)\})?")
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Treatment(StrEnum):
    """How the proxy treats a request."""

    PASS = "pass"  # noqa: S105  no password
    OPEN = "open"
    LIST = "list"
    BARE = "bare"
    JUDGE = "judge"


class Method(NamedTuple):
    """One request, as one side sends it."""

    name: str
    treatment: Treatment
    kind: str  # of what is judged: `resource`; empty for a tool
    field: str  # the parameter that names it; empty if there is none

    def tool(self, server: str, params: Mapping[str, Any]) -> str | None:
        """Return the tool of the event; None if the parameters do not say what it is about."""
        named = params.get(self.field) if self.field else ""
        if not isinstance(named, str) or len(named) > LONGEST_NAME or _CONTROL.search(named):
            return None
        if self.field and not named:
            return None
        return f"mcp__{server}__{self.kind}{':' if self.kind else ''}{named}"


@cache
def methods(side: str) -> Mapping[str, Method]:
    """Return the requests that a side may send."""
    return load(TABLE)[side]


def load(path: Path) -> dict[str, dict[str, Method]]:
    """Parse the table; an invalid row is refused with its line."""
    found: dict[str, dict[str, Method]] = {side: {} for side in SIDES}
    for row in read_table(path, 4):
        name, treatment, tool, meaning = row.cells
        match = _TOOL.fullmatch(tool)
        problem = (
            f"`{row.section}` is no side" if row.section not in SIDES
            else "a method has a name and a meaning" if not (name and meaning)
            else f"`{treatment}` is no treatment" if treatment not in {known.value for known in Treatment}
            else f"`{tool}` is not a text and a field" if match is None
            else "what is judged, and only that, has a tool" if (treatment == Treatment.JUDGE) != bool(tool)
            else f"`{name}` occurs here twice" if name in found[row.section]
            else ""
        )  # fmt: skip
        if problem or match is None:
            raise DataError(f"{row.where}: {problem}", "correct the line; the head of the file says what cells mean")
        found[row.section][name] = Method(name, Treatment(treatment), match["kind"] or "", match["field"] or "")
    return found
