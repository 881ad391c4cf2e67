"""Results of models: one for each model in an engine, as a table for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """The result of a model. It passed if it has no faults."""

    engine: str  # python, z3 or tlc
    name: str
    says: str
    properties: int
    states: int | None  # none where the engine does not go from state to state
    mutants: int
    killed: int
    faults: tuple[str, ...]  # what is wrong, each with its story
    seconds: float
    steps: int | None = None  # from state to state, where the engine counts them


_HEAD = ("model", "engine", "properties", "states", "mutants killed", "seconds")


def table_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a table, followed by the faults of each row."""
    rows = [
        (
            one.name, one.engine, str(one.properties), "-" if one.states is None else str(one.states), f"{one.killed}/{one.mutants}",
            f"{one.seconds:.2f}",
        )
        for one in outcomes
    ]  # fmt: skip
    widths = [max(len(row[place]) for row in (_HEAD, *rows)) for place in range(len(_HEAD))]
    lines = ["  ".join(_cell(cell, place, widths) for place, cell in enumerate(row)).rstrip() for row in (_HEAD, *rows)]
    for one in outcomes:
        lines.append(f"{'✗' if one.faults else '✓'} {one.name} ({one.engine}): {one.says}")
        lines += [f"    {line}" for fault in one.faults for line in fault.splitlines()]
    return lines


def _cell(text: str, place: int, widths: Sequence[int]) -> str:
    return text.ljust(widths[place]) if place < 2 else text.rjust(widths[place])


def outcomes_json(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Return one value for each row of the table."""
    return [{**one._asdict(), "faults": list(one.faults), "seconds": round(one.seconds, 3)} for one in outcomes]
