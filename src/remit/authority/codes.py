"""Refusal codes of the parties. Their meanings are data: a `data/codes.table` in the package of each party."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

_PACKAGES = Path(__file__).parents[1]
# name of a party: its package, and its title
PARTIES = {
    "policy-server": ("authority", "the policy servers"),
    "executor": ("executor", "the executor"),
    "gateway": ("gateway", "the gateway"),
}


class Code(NamedTuple):
    """One line of the table."""

    name: str
    step: int
    meaning: str
    remedy: str


@cache
def codes(party: str) -> Mapping[str, Code]:
    """Return all codes of a party by name, in the order of the steps."""
    return load(_PACKAGES / PARTIES[party][0] / "data" / "codes.table")


def load(path: Path) -> Mapping[str, Code]:
    """Read a table; a duplicate code, or one without a meaning, is refused with its line."""
    out: dict[str, Code] = {}
    for row in read_table(path, 3):
        name, meaning, remedy = row.cells
        step = row.section.partition(" ")[0]
        if name in out or not meaning or not step.isdecimal():
            raise DataError(f"{row.where}: a code has a name of its own, a step and a meaning", "correct the line")
        out[name] = Code(name, int(step), meaning, remedy)
    return out


class ReasonCodes(NamedTuple):
    """The codes of all parties, as `remit schema reason-codes` publishes them."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        kinds = {
            party: {
                "title": f"Codes of {title}",
                "oneOf": [{"const": one.name, "description": one.meaning} for one in codes(party).values()],
            }
            for party, (_, title) in PARTIES.items()
        }
        return {"anyOf": [{"$ref": f"#/$defs/{party}"} for party in kinds], "$defs": kinds}


REASON_CODES = ReasonCodes()
