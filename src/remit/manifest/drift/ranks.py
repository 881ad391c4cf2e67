"""Severity ranks of changes: the table `data/ranks.table`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.capability import Level, vocabulary
from remit.core.effect import Origin
from remit.core.errors import DataError
from remit.core.scope import ScopeKind
from remit.core.table import TableRow, read_table
from remit.manifest.drift.model import Trait, TraitKind

_TABLE = Path(__file__).with_name("data") / "ranks.table"
_CONDITIONS = {"level": frozenset(Level), "origin": frozenset(Origin), "kind": frozenset(ScopeKind)}


class Rank(NamedTuple):
    """One row: the traits that match it, and its title in reports."""

    sort: TraitKind
    field: str  # empty: every trait of the sort
    value: str
    title: str
    gain: bool

    def fits(self, trait: Trait) -> bool:
        """Whether a trait matches this row, if it matches none above."""
        if trait.sort is not self.sort:
            return False
        if self.field == "origin":
            return trait.origin == self.value
        if self.field:
            found = vocabulary()[trait.subject]
            return self.value == (found.level if self.field == "level" else found.scope_kind)
        return True


@cache
def ranks() -> tuple[Rank, ...]:
    """Return the rows of this version, the worst first."""
    return load(_TABLE)


def rank_of(trait: Trait) -> int:
    """Return the number of the row that a trait matches; every trait has one (`load` ensures it)."""
    return next(number for number, rank in enumerate(ranks()) if rank.fits(trait))


def load(path: Path) -> tuple[Rank, ...]:
    """Parse a table of ranks; unknown values, and a trait without a row, are refused."""
    out = tuple(_rank(row) for row in read_table(path, 3))
    whole = {rank.sort for rank in out if not rank.field}
    whole |= {TraitKind.CAPABILITY} if {rank.value for rank in out if rank.field == "level"} == set(Level) else set()
    missing = sorted(set(TraitKind) - whole)
    if missing:
        raise DataError(f"{path.name}: some traits of sort `{missing[0]}` fall under no row", "add a row for the rest")
    return out


def _rank(row: TableRow) -> Rank:
    sort, condition, title = row.cells
    if row.section not in ("gain", "change"):
        raise DataError(f"{row.where}: `[{row.section}]` is neither `[gain]` nor `[change]`", "correct the section")
    if sort not in tuple(TraitKind):
        raise DataError(f"{row.where}: `{sort}` is not a sort of trait", f"write one of {', '.join(TraitKind)}")
    field, _, value = condition.partition("=")
    if condition and (sort != TraitKind.CAPABILITY or value not in _CONDITIONS.get(field, ())):
        raise DataError(f"{row.where}: `{condition}` is not a condition", "the head of the file says what it can be")
    return Rank(TraitKind(sort), field, value, title, row.section == "gain")
