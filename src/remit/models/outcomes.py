"""Results of models: one for each model in an engine, as a table for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
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


PYTHON, Z3, TLC = "python", "z3", "tlc"
ENGINES = (PYTHON, Z3, TLC)
ALL = "all"
DEFAULT = (PYTHON, Z3)
# where each is: `gates.check`, and in `registry` what it knows
_WHERE = {Z3: ("remit.models.proofs", "THEORIES"), TLC: ("remit.models.tla", "MODELS")}
_EXTRAS = {"z3": "prove"}


class Engine(NamedTuple):
    """An engine: the models it knows, and how it checks some or all of them."""

    name: str
    knows: tuple[str, ...]
    check: Callable[[Sequence[str], Callable[[str], None]], list[Outcome]]


def other_engine(name: str) -> Engine:
    """Return an engine besides our own explorer; an error with its remedy if a requirement is missing."""
    from remit.core.errors import PackageError, UsageError  # noqa: PLC0415  `--help` reads the names above, and has no time

    package, listed = _WHERE[name]
    try:
        gates, registry = import_module(f"{package}.gates"), import_module(f"{package}.registry")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in _EXTRAS:
            raise PackageError(missing, _EXTRAS[missing]) from None
        if (error.name or "").startswith(package):
            raise UsageError(f"this version has no engine `{name}`", "choose another with `--engine`") from None
        raise
    return Engine(name, tuple(getattr(registry, listed)), gates.check)


def chosen_engines(word: str | None) -> tuple[str, ...]:
    """Return the engines that a word selects; without a word, those of every test run."""
    if word is None:
        return DEFAULT
    return ENGINES if word == ALL else (word,)
