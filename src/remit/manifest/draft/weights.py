"""What each kind of clue is worth: data/weights.table."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table


@cache
def weights() -> dict[tuple[str, str], int]:
    """Points by kind and capability; `*` stands for every capability that has no row of its own."""
    out: dict[tuple[str, str], int] = {}
    for row in read_table(Path(str(files("remit.manifest.draft").joinpath("data/weights.table"))), 3):
        kind, capability, points = row.cells
        if capability != "*" and capability not in vocabulary():
            raise DataError(f"{row.where}: `{capability}` is not a capability", "`remit explain` lists all")
        if not points.isdigit() or (kind, capability) in out:
            raise DataError(f"{row.where}: the row is given twice or has no number", "correct the row")
        out[kind, capability] = int(points)
    return out


def worth(kind: str, capability: str) -> int:
    """The points of a clue."""
    table = weights()
    found = table.get((kind, capability))
    return table[kind, "*"] if found is None else found
