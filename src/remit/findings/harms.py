"""Orders that harm: clauses that say, whatever their words, that the agent is to act against the person it works for.

`data/harms.table` says what is harmful by the features of clauses (see `clauses.py`). Passages of text are read once; a row holds if one
clause, its sentence and what stands around it have the features that the row names.
"""

from __future__ import annotations

from functools import cache, lru_cache
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


@cache
def _names() -> frozenset[str]:
    return frozenset(name for name, _, _ in table().names)


@cache
def needs_of(some: Terms) -> tuple[frozenset[str], ...]:
    """Words for each group of terms: where none of a group's words stands, the terms do not hold. A name stands for itself."""
    found = [frozenset().union(*map(_words, group)) for group in some.groups]
    if any(all(feature.startswith("no:") for feature in group) for group in some.groups):
        found.append(words_of("not"))
    return tuple(sorted(found, key=len))


def _words(feature: str) -> frozenset[str]:
    known = words_of(feature.rpartition(":")[2])
    return known | {feature} if feature in _names() else known


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


@cache
def _name_needs() -> tuple[tuple[str, frozenset[str], tuple[frozenset[str], ...]], ...]:
    """Each name with the words of its rarest feature and those of its other features."""
    found = []
    for name, clause, sentence in table().names:
        rarest, *others = sorted((*needs_of(clause), *needs_of(sentence)), key=len)
        found.append((name, rarest, tuple(others)))
    return tuple(found)


@cache
def _by_word() -> dict[str, tuple[tuple[Row, tuple[frozenset[str], ...]], ...]]:
    """Rows by the words of their rarest feature, with the words that their other features need."""
    found: dict[str, list[tuple[Row, tuple[frozenset[str], ...]]]] = {}
    for rows in table().rows.values():
        for row in rows:
            rarest, *others = sorted((*needs_of(row.clause), *needs_of(row.sentence)), key=len)
            for word in rarest:
                found.setdefault(word, []).append((row, tuple(others)))
    return {word: tuple(rows) for word, rows in found.items()}


def possible(words: set[str]) -> tuple[Row, ...]:
    """The rows that may hold in a text with these words, in their order."""
    return _possible(_needed() & words)


@lru_cache(1 << 14)  # of the words of most sentences few say anything
def _possible(some: frozenset[str]) -> tuple[Row, ...]:
    words, known = set(some), _by_word()
    for name, rarest, others in _name_needs():
        if not rarest.isdisjoint(words) and _all_there(others, words):
            words.add(name)
    found = {row.number: row for word in words for row, needs in known.get(word, ()) if _all_there(needs, words)}
    return tuple(found[number] for number in sorted(found))


@cache
def _needed() -> frozenset[str]:
    """Every word that decides whether a row may hold."""
    groups = [need for rows in _by_word().values() for _, needs in rows for need in needs]
    groups += [need for _, rarest, others in _name_needs() for need in (rarest, *others)]
    return frozenset(_by_word()).union(*groups)


def _all_there(needs: tuple[frozenset[str], ...], words: set[str] | frozenset[str]) -> bool:
    for need in needs:  # noqa: SIM110  a loop is twice as fast, and this is asked for every sentence
        if need.isdisjoint(words):
            return False
    return True


def named(clauses: Iterable[Clause]) -> tuple[frozenset[str], ...]:
    """The features of the clauses of a sentence, with the names that the table gives to combinations of them."""
    every = [clause.features for clause in clauses]
    whole = frozenset().union(*every)
    for name, clause, sentence in table().names:
        if not _all_there(clause.groups, whole) or not sentence.hold(whole):
            continue
        for at, features in enumerate(every):
            if clause.hold(features):
                every[at] = features | {name}
                whole |= {name}
    return tuple(every)
