"""Orders that harm: clauses that say, whatever their words, that the agent is to act against the person it works for.

`data/harms.table` says what is harmful by the features of clauses (see `clauses.py`). Passages of text are read once; a row holds if one
clause, its sentence and what stands around it have the features that the row names.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.findings.clauses import Clause, sentences
from remit.findings.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

_FILE = Path(__file__).with_name("data") / "harms.table"
_WIDTH = 5


class Terms(NamedTuple):
    """Features of which all, or of each group one, must be there, and such as must not be there."""

    groups: tuple[frozenset[str], ...]
    without: frozenset[str]

    def hold(self, features: frozenset[str]) -> bool:
        """Whether features fulfil the terms."""
        return self.without.isdisjoint(features) and not any(group.isdisjoint(features) for group in self.groups)


class Row(NamedTuple):
    """One harmful combination."""

    rule: str
    severity: Severity
    clause: Terms
    sentence: Terms
    near: Terms
    message: str


class Table(NamedTuple):
    """Names for combinations, and the combinations that rules report."""

    names: tuple[tuple[str, Terms, Terms], ...]
    rows: dict[str, tuple[Row, ...]]


@cache
def table() -> Table:
    """The harms of this version."""
    return load(_FILE)


def load(path: Path) -> Table:
    """Read a table; a row that cannot be read is refused with its line."""
    names: list[tuple[str, Terms, Terms]] = []
    rows: dict[str, list[Row]] = {}
    for row in read_table(path, _WIDTH):
        severity, clause, sentence, near, message = row.cells
        if row.section == "names":
            names.append((message, terms(clause), terms(sentence)))
            continue
        if severity not in set(Severity):
            raise DataError(f"{row.where}: `{severity}` is no severity", f"write {', '.join(Severity)}")
        one = Row(row.section, Severity(severity), terms(clause), terms(sentence), terms(near), message)
        rows.setdefault(row.section, []).append(one)
    return Table(tuple(names), {rule: tuple(found) for rule, found in rows.items()})


def terms(cell: str) -> Terms:
    """`a b/c -d`: a, one of b and c, and no d."""
    words = cell.split()
    groups = tuple(frozenset(word.split("/")) for word in words if not word.startswith("-"))
    return Terms(groups, frozenset(word[1:] for word in words if word.startswith("-")))


def named(clauses: Iterable[Clause]) -> tuple[frozenset[str], ...]:
    """The features of the clauses of a sentence, with the names that the table gives to combinations of them."""
    every = [set(clause.features) for clause in clauses]
    for name, clause, sentence in table().names:
        whole = frozenset().union(*every)
        if sentence.hold(whole):
            for features in every:
                if clause.hold(frozenset(features)):
                    features.add(name)
    return tuple(map(frozenset, every))
