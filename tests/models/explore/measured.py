"""What the last measured run of the engines took (`data/measured.table`), and the table of twins that docs/models.md shows.

Seconds are those of the machine that measured, beside whatever else it did: nobody compares them. Everything else is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.models.outcomes import PYTHON, TLC

if TYPE_CHECKING:
    from remit.models.outcomes import Outcome
    from remit.models.tla.registry import Excuse

FILE = Path(__file__).with_name("measured.table")
_ENGINES = (PYTHON, TLC)


class Measured(NamedTuple):
    """One model in one engine."""

    states: int
    steps: int
    mutants: int
    seconds: float


Measures: TypeAlias = "Mapping[tuple[str, str], Measured]"  # by engine and model


def read_measured(path: Path = FILE) -> dict[tuple[str, str], Measured]:
    """Read a table: a section for each engine; model, states, steps, mutants that were noticed, seconds."""
    found = {}
    for row in read_table(path, 5):
        name, *numbers, seconds = row.cells
        if row.section not in _ENGINES or not all(map(str.isdecimal, numbers)) or (row.section, name) in found:
            raise DataError(f"{row.where}: not a line of {' or '.join(_ENGINES)}, or it occurs twice", "measure again")
        states, steps, mutants = map(int, numbers)
        found[row.section, name] = Measured(states, steps, mutants, float(seconds))
    return found


def measured(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], Measured]:
    """Of what passed."""
    return {
        (one.engine, one.name): Measured(one.states or 0, one.steps or 0, one.killed, one.seconds)
        for one in outcomes
        if not one.faults
    }


def written(measures: Measures) -> str:
    """The lines of the table, in the order of what is given."""
    lines = []
    for engine in _ENGINES:
        lines += [f"[{engine}]"]
        lines += [
            f"{name} | {one.states} | {one.steps} | {one.mutants} | {one.seconds:.1f}"
            for (of, name), one in measures.items()
            if of == engine
        ]
        lines += [""]
    return "\n".join(lines[:-1]) + "\n"


def twins_markdown(names: Iterable[str], measures: Measures, excused: Mapping[str, Excuse]) -> str:
    """The tables of docs/models.md: each twin with what TLC found, and why other models have none."""
    lines = ["| specification | states | steps | mutants | seconds |", "| --- | ---: | ---: | ---: | ---: |"]
    found = [(name, measures.get((TLC, name))) for name in names]
    lines += [_row(name, one) for name, one in found]
    known = [one for _, one in found if one is not None]
    if len(known) == len(found):
        lines += [_row(f"all {len(known)}", Measured(*(sum(numbers) for numbers in zip(*known, strict=True))))]
    lines += ["", "| model without a specification | why |", "| --- | --- |"]
    lines += [f"| {name} | {one.why} |" for name, one in excused.items()]
    return "\n".join(lines) + "\n"


def _row(name: str, one: Measured | None) -> str:
    if one is None:
        return f"| {name} | - | - | - | - |"
    return f"| {name} | {one.states:,} | {one.steps:,} | {one.mutants} | {one.seconds:.1f} |"
