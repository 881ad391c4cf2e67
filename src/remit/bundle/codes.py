"""Reason codes of admission. Their meanings and costs are data (`data/codes.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.bundle.refusal import codes as trust_codes
from remit.core.errors import DataError
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "codes.table"
STEPS = 9


class Cost(StrEnum):
    """What a reason costs, the most first."""

    REFUSED = "refused"
    UNVERIFIED = "unverified"
    UNTESTED = "untested"
    DECLARED_OR_TESTED = "declared-or-tested"
    CLAIM = "claim"


class Code(NamedTuple):
    """One line of the table."""

    name: str
    step: int
    costs: Cost
    meaning: str
    remedy: str


class Reason(NamedTuple):
    """One problem with a bundle: its code and its details."""

    code: Code
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.code.name}: {self.detail or self.code.meaning}"


@cache
def codes() -> Mapping[str, Code]:
    """Return all codes of this version, by name, in the order of the steps."""
    return load(_FILE)


def reason(name: str, detail: str = "") -> Reason:
    """Return a reason with this code."""
    return Reason(codes()[name], detail)


def load(path: Path) -> Mapping[str, Code]:
    """Read a table; a duplicate code, or an unknown step or cost, is refused with its line."""
    out: dict[str, Code] = {}
    for row in read_table(path, 5):
        name, step, costs, meaning, remedy = row.cells
        if not meaning and not remedy and name in trust_codes():
            _, meaning, remedy = trust_codes()[name]
        problem = (
            f"`{name}` occurs twice" if name in out
            else f"`{step}` is not the step of its section" if step != row.section.partition(" ")[0]
            else f"`{costs}` is not a cost" if costs not in tuple(Cost)
            else "a code has a name, a meaning and a remedy" if not (name and meaning and remedy)
            else ""
        )  # fmt: skip
        if problem:
            raise DataError(
                f"{row.where}: {problem}", "correct the line; the head of the file says what its cells mean"
            )
        out[name] = Code(name, int(step), Cost(costs), meaning, remedy)
    return out
