"""What follows from what is required: data/implies.table."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.manifest.draft.clue import Clue
from remit.skill.prose.lexicon import ENOUGH

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = "fence"  # a block that is only shown, as the dependencies in a build file, is no command


@cache
def implications() -> tuple[tuple[str, str, str], ...]:
    """The rows of the table: what is needed, what it cannot do without, and why."""
    return read_implications(Path(str(files("remit.manifest.draft").joinpath("data/implies.table"))))


def read_implications(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Read a table; a name that is no capability and a row that stands twice are refused with their place."""
    out: dict[tuple[str, str], str] = {}
    for row in read_table(path, 3):
        first, second, why = row.cells
        for name in (first, second):
            if name not in vocabulary():
                raise DataError(f"{row.where}: `{name}` is not a capability", "`remit explain` lists all")
        if first == second or (first, second) in out:
            raise DataError(f"{row.where}: the row says nothing new", "remove it")
        out[first, second] = why
    return tuple((first, second, why) for (first, second), why in out.items())


def with_implied(found: Mapping[str, tuple[Clue, ...]]) -> dict[str, tuple[Clue, ...]]:
    """What is required, and what that cannot do without; the strongest clue for the one is the evidence for the other."""
    out = dict(found)
    grown = True
    while grown:
        grown = False
        for first, second, why in implications():
            if first in out and second not in out and any(clue.kind != _SHOWN for clue in out[first]):
                grown = True
                evidence = out[first][0].evidence._replace(rule=f"{first}: {why}")
                out[second] = (Clue(second, ENOUGH, "implied", evidence),)
    return dict(sorted(out.items()))
