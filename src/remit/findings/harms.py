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
from remit.findings.clauses import words_of
from remit.findings.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.findings.clauses import Clause

_FILE = Path(__file__).with_name("data") / "harms.table"
_WIDTH = 5


class Terms(NamedTuple):
    """Features of which all, or of each group one, must be there, and such as must not be there."""

    groups: tuple[frozenset[str], ...]
    without: frozenset[str]

    def hold(self, features: frozenset[str]) -> bool:
        """Whether features fulfil the terms."""
        return self.without.isdisjoint(features) and not any(group.isdisjoint(features) for group in self.groups)


ANYTHING = Terms((), frozenset())


class Row(NamedTuple):
    """One harmful combination."""

    number: int

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

    def words_of(self, feature: str) -> frozenset[str]:
        """The words of which one stands in every text that has a feature."""
        name = feature if feature.startswith("is:") else feature.rpartition(":")[2]
        meant = [pair for pair in self.names if pair[0] == name]
        if not meant:
            return words_of(name)
        fewest = (min(self.needs(*pair[1:]), key=len) for pair in meant)
        return frozenset().union(*fewest) | words_of(name)

    def needs(self, *cells: Terms) -> list[frozenset[str]]:
        """Words for each group of terms: where one of the groups is missing, the terms do not hold."""
        return [frozenset().union(*map(self.words_of, group)) for cell in cells for group in cell.groups]


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
        one = Row(sum(map(len, rows.values())), row.section, Severity(severity), terms(clause), terms(sentence), terms(near), message)
        rows.setdefault(row.section, []).append(one)
    return Table(tuple(names), {rule: tuple(found) for rule, found in rows.items()})


def terms(cell: str) -> Terms:
    """`a b/c -d`: a, one of b and c, and no d."""
    words = cell.split()
    groups = tuple(frozenset(word.split("/")) for word in words if not word.startswith("-"))
    return Terms(groups, frozenset(word[1:] for word in words if word.startswith("-")))


@cache
def _by_word() -> dict[str, tuple[tuple[Row, tuple[frozenset[str], ...]], ...]]:
    """Rows by the words of their rarest feature, with the words that their other features need."""
    found: dict[str, list[tuple[Row, tuple[frozenset[str], ...]]]] = {}
    for rows in table().rows.values():
        for row in rows:
            needs = sorted(table().needs(row.clause, row.sentence), key=len)
            for word in needs[0]:
                found.setdefault(word, []).append((row, tuple(needs[1:])))
    return {word: tuple(rows) for word, rows in found.items()}


def possible(words: frozenset[str]) -> set[Row]:
    """The rows that may hold in a text with these words."""
    known = _by_word()
    return {
        row
        for word in words & known.keys()
        for row, needs in known[word]
        if not any(need.isdisjoint(words) for need in needs)
    }


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
