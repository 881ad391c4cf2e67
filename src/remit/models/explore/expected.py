"""The recorded sizes of models: states, transitions, and the story length of each mutant (`data/expected.table`).

An unexpected change of a number shows that the behaviour of the code or a model has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

FILE = Path(__file__).with_name("data") / "expected.table"
MODEL, MUTANT = "model", "mutant"


class Expected(NamedTuple):
    """All recorded numbers."""

    models: Mapping[str, tuple[int, int]]  # by model: states, transitions
    mutants: Mapping[tuple[str, str], int]  # by model and mutant: steps of the story


def read_expected(path: Path = FILE) -> Expected:
    """Read a table: `[model]` model, states, transitions; `[mutant]` model, mutant, steps."""
    models: dict[str, tuple[int, int]] = {}
    mutants: dict[tuple[str, str], int] = {}
    for row in read_table(path, 3):
        name, second, third = row.cells
        if row.section == MODEL and name not in models and second.isdecimal() and third.isdecimal():
            models[name] = (int(second), int(third))
        elif row.section == MUTANT and (name, second) not in mutants and third.isdecimal():
            mutants[name, second] = int(third)
        else:
            raise DataError(
                f"{row.where}: not a line of [{MODEL}] or [{MUTANT}], or it occurs twice", "correct the line"
            )
    return Expected(models, mutants)
