"""How a run is told: a line of progress, tables, and every survivor with its diff."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from mutation_kill import KILLED, TIME
from mutation_sample import SOURCE, Mutant, diff

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from mutation_results import Result

GOAL = 0.95


class Figures(NamedTuple):
    """How many of some mutants were noticed, and by what."""

    mutants: int
    model: int
    test: int
    time: int
    survived: int

    @property
    def share(self) -> float:
        """Of those that were noticed."""
        return 1 - self.survived / self.mutants if self.mutants else 1.0


def figures(results: Iterable[Result]) -> Figures:
    """Count."""
    found = list(results)
    killed = [one for one in found if one.tried.state == KILLED]
    model = sum(one.by_model for one in killed)
    late = sum(one.tried.state == TIME for one in found)
    return Figures(len(found), model, len(killed) - model, late, len(found) - len(killed) - late)


def read_equivalent(path: Path, mutants: Mapping[str, Mutant]) -> dict[str, str]:
    """Mutants that change nothing anybody could see, with the reason. A line without a mutant is out of date."""
    found = {}
    for row in read_table(path, 3):
        name, where, reason = row.cells
        if row.section != "equivalent" or name in found:
            raise DataError(f"{row.where}: not a line of [equivalent], or it occurs twice", "correct the line")
        if name not in mutants or where != f"{mutants[name].file}:{mutants[name].scope}":
            raise DataError(f"{row.where}: there is no such mutant any more", "delete the line")
        found[name] = reason
    return found


def table(
    results: Iterable[Result], mutants: Mapping[str, Mutant], by: Callable[[Mutant], str], title: str
) -> list[str]:
    """Rows of figures."""
    groups = defaultdict(list)
    for one in results:
        groups[by(mutants[one.mutant])].append(one)
    lines = [f"{title:44}{'mutants':>9}{'model':>7}{'test':>7}{'time':>6}{'survived':>10}"]
    for name in sorted(groups):
        found = figures(groups[name])
        lines.append(f"{name:44}{found.mutants:9}{found.model:7}{found.test:7}{found.time:6}{found.survived:10}")
    return lines


def survivors(results: Iterable[Result], mutants: Mapping[str, Mutant], equivalent: Mapping[str, str]) -> list[str]:
    """Each with its diff, and the reason if it is known to change nothing."""
    lines = []
    for one in sorted(results, key=lambda one: mutants[one.mutant][1:4]):
        mutant = mutants[one.mutant]
        if not one.noticed:
            state = f"{one.tried.state}, {one.tried.tests} tests"
            lines += ["", f"{mutant.id}  {mutant.file}:{mutant.line} {mutant.scope}  {mutant.kind}  ({state})"]
            lines += [f"    = {equivalent[mutant.id]}"] if mutant.id in equivalent else []
            lines += [f"    {line}" for line in diff(mutant, (SOURCE / mutant.file).read_text("utf-8")).splitlines()]
    return lines


def as_json(
    results: Iterable[Result], mutants: Mapping[str, Mutant], equivalent: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One value for each mutant."""
    return [
        {
            "id": one.mutant,
            **{field: getattr(mutants[one.mutant], field) for field in ("file", "scope", "line", "kind")},
            "state": one.tried.state,
            "by": one.tried.by,
            "model": one.by_model,
            "seconds": round(one.tried.seconds, 2),
            "equivalent": equivalent.get(one.mutant, ""),
        }
        for one in results
    ]


class Progress:
    """A line that is written again and again, with the rate and the time that is left."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._start, self._last = what, total, time.monotonic(), -1

    def tell(self, done: int, states: Counter[str]) -> None:
        """Write it, if anything has changed."""
        if done == self._last:
            return
        self._last = done
        passed = time.monotonic() - self._start
        left = f"{(self._total - done) * passed / done / 60:.0f} min left" if done else ""
        filled = 24 * done // max(self._total, 1)
        told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        line = f"{self._what} [{'#' * filled}{'.' * (24 - filled)}] {done}/{self._total} {60 * done / passed:.0f}/min {left}  {told}"
        end = "\r" if sys.stderr.isatty() and done < self._total else "\n"
        if end == "\r" or done % 25 == 0 or done == self._total:
            print(line.ljust(118)[:118], end=end, file=sys.stderr, flush=True)
