"""Tool definitions for the model, and validation of its arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.shape import Record, Text
from remit.core.table import read_table
from remit.gateway.inbound.agent.conversation import whole

FILE = Path(__file__).parents[1] / "data" / "calls.table"
_INPUT = Text(100_000, empty=True)
_BY = ("act", "node")


class Tool(NamedTuple):
    """One tool."""

    name: str
    by: str  # `act` or `node`
    what: str  # the intent, or the command for devices
    changes: bool
    about: str
    form: Record

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its inputs."""
        return self.form.schema()

    def inputs(self, arguments: str) -> dict[str, str] | None:
        """Return the arguments if they have the form, else None. Duplicate names are refused."""
        try:
            told = json.loads(arguments or "{}", object_pairs_hook=_once)
        except (ValueError, RecursionError):
            return None
        fine = not self.form.fault(told, self.name)
        inputs: dict[str, str] = told if fine else {}
        return inputs if fine and all(whole(one) == one for one in inputs.values()) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
    return dict(pairs)


def read_tools(path: Path = FILE) -> Mapping[str, Tool]:
    """Return the tools of a table by name."""
    found: dict[str, Tool] = {}
    for row in read_table(path, 5):
        name, carried, changes, about, inputs = row.cells
        by, _, what = carried.partition(" ")
        if name in found or by not in _BY or not what or changes not in ("yes", "no"):
            raise DataError(f"{row.where}: not a tool, or it stands twice", "tool | act INTENT | yes | about | inputs")
        words = inputs.split()
        form = Record(
            {word.rstrip("?"): _INPUT for word in words}, frozenset(word[:-1] for word in words if word[-1] == "?")
        )
        found[name] = Tool(name, by, what, changes == "yes", about, form)
    return found


@cache
def tools() -> Mapping[str, Tool]:
    """Return the shipped tools."""
    return read_tools()
