"""Promises: what no session of a skill does (`data/promises.table`), and that it reaches only granted hosts.

A promise is about one effect that acts, so it follows from the invariant: a SAT solver refutes that the invariant holds, the effect
acted, and it is one of those. Its refutation is checked as those of the induction are. A broken promise has a session
that shows it, found by running the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ScopeKind
from remit.core.table import read_table
from remit.policy.gate import Standing
from remit.policy.logic import any_of
from remit.proof.sessions.cnf import clauses
from remit.proof.sessions.refutation import refute
from remit.proof.sessions.trace import shown
from remit.proof.verdict import Outcome, Proved, Refuted, Unknown

if TYPE_CHECKING:
    from remit.proof.sessions.encode import Encoding
    from remit.proof.sessions.kinds import Alphabet

HOSTS = "reaches-only-granted-hosts"
_NEVER = (Standing.OUTSIDE, Standing.DENIED)


class Promise(NamedTuple):
    """A promise never to do something from each of these sets of capabilities."""

    name: str
    capabilities: tuple[frozenset[str], ...]
    meaning: str


@cache
def promises() -> tuple[Promise, ...]:
    """Return the rows of the table."""
    found = []
    for row in read_table(Path(__file__).with_name("data") / "promises.table", 3):
        name, words, meaning = row.cells
        sides = tuple(frozenset(side.split()) for side in words.split("+"))
        unknown = sorted(word for side in sides for word in side if word not in vocabulary())
        if unknown or not all(sides):
            raise DataError(f"{row.where}: `{(unknown or [''])[0]}` is not a capability", "`remit explain` lists all")
        found.append(Promise(name, sides, meaning))
    return tuple(found)


def judge_promises(alphabet: Alphabet, encoding: Encoding) -> Iterator[tuple[str, Outcome]]:
    """Yield each promise, and whether every session keeps it."""
    for promise in promises():
        sides = [
            [number for number, kind in enumerate(alphabet.kinds) if kind.capability in side]
            for side in promise.capabilities
        ]
        outcomes = [_never(alphabet, encoding, side) for side in sides]
        # of two sides it is enough that one never happens
        yield promise.name, Proved() if Proved() in outcomes else _joined(outcomes)
    elsewhere = [
        number
        for number, kind in enumerate(alphabet.kinds)
        if kind.meant in _NEVER and kind.capability in vocabulary() and _reaches(kind.capability)
    ]
    yield HOSTS, _never(alphabet, encoding, elsewhere)


def _reaches(capability: str) -> bool:
    return vocabulary()[capability].scope_kind is ScopeKind.HOST


def _joined(outcomes: list[Outcome]) -> Outcome:
    unknown = next((one for one in outcomes if isinstance(one, Unknown)), None)
    return unknown or Refuted(tuple(line for one in outcomes if isinstance(one, Refuted) for line in one.trace))


def _never(alphabet: Alphabet, encoding: Encoding, numbers: list[int]) -> Outcome:
    """Return whether none of these kinds ever acts."""
    terms, facts = encoding.terms, encoding.facts
    is_one = any_of(terms, (facts.is_at(encoding.followed, facts.numbers[number]) for number in numbers))
    claims = (encoding.admissible, encoding.invariant, encoding.state.effect.acted, is_one)
    if is_one == terms.false or refute(clauses(terms, claims)) is not None:
        return Proved()
    found = next((line for number in numbers for line in shown(alphabet, number)), None)
    return (
        Refuted((found,))
        if found
        else Unknown("the invariant does not exclude it, and no session of one turn shows it")
    )
