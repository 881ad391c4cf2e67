"""Refusal codes of the parties. Their meanings are data: a `data/codes.table` of each party.

This module has the codes of the policy servers; executor and gateway read theirs with the same loader.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "codes.table"


class Code(NamedTuple):
    """One line of the table."""

    name: str
    step: int
    meaning: str
    remedy: str


@cache
def codes() -> Mapping[str, Code]:
    """All codes of policy servers, by name."""
    return load(_FILE)


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
