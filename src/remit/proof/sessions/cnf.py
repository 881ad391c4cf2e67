"""Proof obligations as CNF clauses, which a SAT solver refutes, and against which the refutation is checked.

The numbers of terms are the numbers of variables, so that nothing has to be translated back. Variable 1 is true, and a conjunction
`g = a and b` gives the three clauses `-g a`, `-g b`, `g -a -b`. Every claim is a clause of one literal; they come last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from remit.proof.sessions.encode import Encoding, flat
from remit.proof.sessions.terms import TRUE, Term, Terms

Clause: TypeAlias = "tuple[int, ...]"


def inductive(encoding: Encoding) -> dict[str, tuple[Clause, ...]]:
    """Return the three induction steps as clauses that are unsatisfiable if the step holds."""
    terms, state = encoding.terms, flat(encoding.state)
    first = dict(zip(state, flat(encoding.start), strict=True))
    later = dict(zip(state, flat(encoding.next), strict=True))
    wrong = -TRUE
    for term in encoding.wrong.values():
        wrong = terms.either(wrong, term)
    claims = {
        "base": (-replaced(terms, encoding.invariant, first),),
        "step": (encoding.invariant, encoding.possible, -replaced(terms, encoding.invariant, later)),
        "safe": (encoding.invariant, wrong),
    }
    return {name: clauses(terms, (encoding.admissible, *parts)) for name, parts in claims.items()}


# which claims an obligation rests on, counted from the last: without one of these its clauses can be satisfied, else it shows nothing
RESTS_ON = {"base": (1,), "step": (1, 3), "safe": (1, 2)}


def dimacs(found: Sequence[Clause]) -> str:
    """Return clauses in DIMACS format."""
    variables = max((abs(literal) for clause in found for literal in clause), default=0)
    return "".join([f"p cnf {variables} {len(found)}\n", *map(_line, found)])


def drat(found: Iterable[Clause]) -> str:
    """Return a refutation in DRAT format, with additions only."""
    return "".join(map(_line, found))


def _line(clause: Clause) -> str:
    return "".join(f"{literal} " for literal in clause) + "0\n"


def replaced(terms: Terms, term: Term, by: Mapping[Term, Term]) -> Term:
    """Return the term with variables replaced."""
    found: dict[Term, Term] = {TRUE: TRUE, **by}

    def look(one: Term) -> Term:
        value = found.get(abs(one), abs(one))
        return value if one > 0 else -value

    for gate in cone(terms, [term]):
        one, other = terms.gates[gate]
        found[gate] = terms.both(look(one), look(other))
    return look(term)


def clauses(terms: Terms, claims: Iterable[Term]) -> tuple[Clause, ...]:
    """Return clauses that are satisfiable exactly if all claims can hold together."""
    wanted = list(claims)
    found: list[Clause] = [(TRUE,)]
    for gate in cone(terms, wanted):
        one, other = terms.gates[gate]
        found += [(-gate, one), (-gate, other), (gate, -one, -other)]
    return (*found, *((claim,) for claim in wanted))


def cone(terms: Terms, roots: Iterable[Term]) -> list[Term]:
    """Return the conjunctions below the roots in order of creation, parts first."""
    seen: set[Term] = set()
    waiting = [abs(root) for root in roots]
    while waiting:
        term = waiting.pop()
        if term in terms.gates and term not in seen:
            seen.add(term)
            waiting += map(abs, terms.gates[term])
    return sorted(seen)
