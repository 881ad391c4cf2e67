"""Orders that harm: clauses that say, whatever their words, that the agent is to act against the person it works for.

`data/harms.table` says what is harmful by the features of clauses (see `clauses.py`). Passages of text are read once; a row holds if one
clause, its sentence and what stands around it have the features that the row names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.core.table_store import stored_table
from remit.findings.clauses import Clause, Sentence, WordBits, signs_of, word_bits, words_of
from remit.findings.model import Severity

_FILE = Path(__file__).with_name("data") / "harms.table"
_WIDTH = 5


class Terms(NamedTuple):
    """Features of which all, or of each group one, must be there, and such as must not be there."""

    groups: tuple[frozenset[str], ...]
    without: frozenset[str]

    def hold(self, features: frozenset[str]) -> bool:
        """Whether features fulfil the terms."""
        for group in self.groups:
            if group.isdisjoint(features):
                return False
        return self.without.isdisjoint(features)


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


def _read_row(fields: Any) -> Row:
    number, rule, severity, clause, sentence, near, message = fields
    return Row(number, rule, Severity(severity), Terms(*clause), Terms(*sentence), Terms(*near), message)


def _read_table(fields: Any) -> Table:
    names = tuple((name, Terms(*clause), Terms(*sentence)) for name, clause, sentence in fields[0])
    return Table(names, {rule: tuple(map(_read_row, rows)) for rule, rows in fields[1].items()})


@stored_table(_read_table)
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
        one = Row(
            sum(map(len, rows.values())),
            row.section,
            Severity(severity),
            terms(clause),
            terms(sentence),
            terms(near),
            message,
        )
        rows.setdefault(row.section, []).append(one)
    return Table(tuple(names), {rule: tuple(found) for rule, found in rows.items()})


def terms(cell: str) -> Terms:
    """`a b/c -d`: a, one of b and c, and no d."""
    words = cell.split()
    groups = tuple(frozenset(word.split("/")) for word in words if not word.startswith("-"))
    return Terms(groups, frozenset(word[1:] for word in words if word.startswith("-")))


class _Needs(NamedTuple):
    """What words say of the rows that may hold. Each group of features that the table names is one bit."""

    features: dict[str, int]  # the groups that a feature fulfils
    loose: dict[str, int]  # the groups of which a word speaks, in whatever form
    words: WordBits  # the groups that a word may fulfil
    names: tuple[tuple[int, int], ...]  # for each name the groups that it needs, and those that it fulfils
    rows: dict[int, tuple[tuple[int, Row], ...]]  # by the one of its groups that the fewest words fulfil


def _read_needs(fields: Any) -> _Needs:
    known = {row.number: row for rows in table().rows.values() for row in rows}
    by_bit = {bit: tuple([(needs, known[row[0]]) for needs, row in rows]) for bit, rows in fields[-1].items()}
    features, loose, words, names, _ = fields
    return _Needs(features, loose, WordBits(*words), names, by_bit)


@stored_table(_read_needs)
def _needs() -> _Needs:
    bits: dict[frozenset[str], int] = {}
    rows = [(_bits(bits, row.clause, row.sentence), row) for some in table().rows.values() for row in some]
    names = [(_bits(bits, clause, sentence), name) for name, clause, sentence in table().names]
    fulfilled: dict[str, int] = {}
    for group, bit in bits.items():
        for feature in group:
            fulfilled[feature] = fulfilled.get(feature, 0) | bit
    loose: dict[str, int] = {}
    for feature, some in fulfilled.items():
        for word in words_of(feature.rpartition(":")[2]):
            loose[word] = loose.get(word, 0) | some
    counts = {feature: sum(1 for _ in signs_of(feature)) for feature in fulfilled}
    often = {bit: sum(counts[feature] for feature in group) for group, bit in bits.items()}
    by_bit: dict[int, list[tuple[int, Row]]] = {}
    for needs, row in rows:
        rarest = min((bit for bit in often if bit & needs), key=lambda bit: often[bit], default=-1)
        by_bit.setdefault(rarest, []).append((needs, row))
    return _Needs(
        fulfilled,
        loose,
        word_bits(fulfilled),
        tuple((needs, fulfilled.get(name, 0)) for needs, name in names),
        {bit: tuple(some) for bit, some in by_bit.items()},
    )


def _bits(bits: dict[frozenset[str], int], *some: Terms) -> int:
    """The groups of terms as bits; what is forbidden needs a negation as well."""
    groups = [group for one in some for group in one.groups]
    if any(all(feature.startswith("no:") for feature in group) for group in groups):
        groups.append(frozenset({"not"}))
    found = 0
    for group in groups:
        found |= bits.setdefault(group, 1 << len(bits))
    return found


def possible(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Row]]:
    """The rows that may hold in each of the sentences of a passage, by their words."""
    reached = [_needs().words.reached(sentence.vocabulary) for sentence in sentences]
    if len(reached) > 1 and not _rows(reduce(or_, reached)):
        return  # most passages
    for sentence, found in zip(sentences, reached, strict=True):
        if rows := _rows(found):
            loose, spoken = _needs().loose, 0
            for word in loose.keys() & sentence.vocabulary:
                spoken |= loose[word]
            # a row that no word of its own class speaks of is left out: it is found by form alone
            known = {row.number for row in _rows(spoken)}
            yield from ((sentence, row) for row in rows if row.number in known)


@lru_cache(1 << 13)
def _rows(found: int) -> tuple[Row, ...]:
    """The rows whose groups may be fulfilled where the given ones may be, in their order."""
    for needs, given in _needs().names:
        if needs & found == needs:
            found |= given
    by_bit = _needs().rows
    rows = [row for bit in by_bit if bit & found for needs, row in by_bit[bit] if needs & found == needs]
    return tuple(sorted(rows))


def named(clauses: Iterable[Clause]) -> tuple[frozenset[str], ...]:
    """The features of the clauses of a sentence, with the names that the table gives to combinations of them."""
    every = [clause.features for clause in clauses]
    whole = frozenset().union(*every)
    known, found = _needs().features, 0
    for feature in whole:
        found |= known.get(feature, 0)
    for (name, clause, sentence), (needs, given) in zip(table().names, _needs().names, strict=True):
        if needs & found != needs or not sentence.hold(whole):
            continue
        for at, features in enumerate(every):
            if clause.hold(features):
                every[at] = features | {name}
                whole |= {name}
                found |= given
    return tuple(every)
