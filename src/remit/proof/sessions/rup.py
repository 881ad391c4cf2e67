"""A checker for refutations, independent of the solver that found them.

A refutation is a row of clauses that ends in the empty one. Each must follow from the clauses before it by unit propagation alone:
when it is negated, propagation runs into a contradiction. This checker, unlike the solver, is simple enough to review.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.proof.sessions.cnf import Clause

MOST = 50_000  # clauses of a refutation


def checked(dimacs: str, drat: str) -> bool:
    """Return whether a DRAT text with additions only refutes a DIMACS text."""
    try:
        return refutes(_clauses(dimacs.partition("\n")[2]), _clauses(drat))
    except ValueError:
        return False


def satisfied(dimacs: str, without: int, true: Iterable[int]) -> bool:
    """Return whether values satisfy a DIMACS text without one clause, given by its index from the end."""
    holds = set(true)
    try:
        clauses = _clauses(dimacs.partition("\n")[2])
    except ValueError:
        return False
    left = [clause for place, clause in enumerate(clauses) if place != len(clauses) - without]
    return 0 < without <= len(clauses) and all(
        any(literal in holds if literal > 0 else -literal not in holds for literal in clause) for clause in left
    )


def _clauses(text: str) -> list[Clause]:
    """Parse clauses, one a line; ValueError if the text is malformed."""
    found = []
    for line in text.splitlines():
        *literals, end = map(int, line.split())
        if end or 0 in literals:
            raise ValueError(line)
        found.append(tuple(literals))
    return found


def refutes(given: Iterable[Clause], proof: Sequence[Clause]) -> bool:
    """Return whether the proof shows that the clauses are unsatisfiable. It must reach the empty clause."""
    if len(proof) > MOST:
        return False
    known = _WatchedClauses()
    for clause in given:
        known.add(clause)
    for clause in proof:
        if not known.follows(clause):
            return False
        if not clause:
            return True
        known.add(clause)
    return False


class _WatchedClauses:
    """Clauses, each watched at two literals that are not false, and the literals implied by unit clauses."""

    def __init__(self) -> None:
        self._watched: dict[int, list[list[int]]] = {}
        self._true: set[int] = set()  # literals that hold without any assumption
        self._contradiction = False

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        literals = [literal for literal in dict.fromkeys(clause) if -literal not in self._true]
        if any(-literal in literals or literal in self._true for literal in literals):
            return
        if not literals:
            self._contradiction = True
        elif len(literals) == 1:
            self._contradiction |= self._propagate(literals, self._true)
        else:
            for literal in literals[:2]:
                self._watched.setdefault(literal, []).append(literals)

    def follows(self, clause: Sequence[int]) -> bool:
        """Return whether negating the clause leads to a contradiction."""
        return self._contradiction or self._propagate([-literal for literal in clause], set(self._true))

    def _propagate(self, literals: Iterable[int], true: set[int]) -> bool:
        """Set the literals and all that follows; return whether this is a contradiction."""
        waiting = []
        for literal in literals:
            if -literal in true:
                return True
            if literal not in true:
                true.add(literal)
                waiting.append(literal)
        while waiting:
            false = -waiting.pop()
            kept = []
            clauses = self._watched.get(false, [])
            for place, clause in enumerate(clauses):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                other = clause[0]
                if other in true:
                    kept.append(clause)
                    continue
                for spot in range(2, len(clause)):
                    if -clause[spot] not in true:
                        clause[1], clause[spot] = clause[spot], false
                        self._watched.setdefault(clause[1], []).append(clause)
                        break
                else:
                    kept.append(clause)
                    if -other in true:
                        self._watched[false] = kept + clauses[place + 1 :]
                        return True
                    true.add(other)
                    waiting.append(other)
            if clauses:
                self._watched[false] = kept
        return False
