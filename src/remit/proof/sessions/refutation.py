"""Certificates of the induction: clauses, a checked refutation by a SAT solver, and models that show that the clauses
are not vacuous.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from remit.core.errors import PackageError
from remit.proof.sessions.cnf import RESTS_ON, Clause, dimacs, drat
from remit.proof.sessions.rup import checked, refutes, satisfied

PACKAGE, SOLVER = "python_sat", "glucose4"
CONFLICTS = 1_000_000  # of the solver; the induction of a large skill takes less than a hundredth


class Model(NamedTuple):
    """Values that satisfy all clauses but one, given by its index from the end. Unnamed variables are false."""

    without: int
    true: tuple[int, ...]


class Certificate(NamedTuple):
    """An obligation as DIMACS, its refutation as DRAT, and evidence that the refutation depends on its claims."""

    obligation: str
    dimacs: str
    drat: str
    models: tuple[Model, ...]

    @property
    def holds(self) -> bool:
        """Whether the refutation is valid: checked step by step, and not of clauses that are contradictory anyway."""
        rests = tuple(model.without for model in self.models) == RESTS_ON.get(self.obligation)
        shown = rests and all(satisfied(self.dimacs, model.without, model.true) for model in self.models)
        return shown and checked(self.dimacs, self.drat)


def certify(obligation: str, clauses: Sequence[Clause]) -> Certificate | None:
    """Return the certificate of an obligation; None if its clauses are satisfiable or vacuous, or exceed the solver's
    limit.
    """
    models = tuple(Model(without, _model(clauses, without)) for without in RESTS_ON[obligation])
    proof = refute(clauses)
    if proof is None:
        return None
    found = Certificate(obligation, dimacs(clauses), drat(proof), models)
    return found if found.holds else None


def refute(clauses: Sequence[Clause]) -> tuple[Clause, ...] | None:
    """Return a checked refutation; None if the clauses are satisfiable, the solver's output is invalid, or a limit is
    exceeded.
    """
    with _solver(clauses, with_proof=True) as solver:
        solver.conf_budget(CONFLICTS)
        if solver.solve_limited() is not False:
            return None
        lines = solver.get_proof()
    proof = [_clause(line) for line in lines if not line.startswith("d")]  # what it forgets, a checker may remember
    if not proof or proof[-1]:
        proof.append(())
    return tuple(proof) if refutes(clauses, proof) else None


def _model(clauses: Sequence[Clause], without: int) -> tuple[int, ...]:
    left = [clause for place, clause in enumerate(clauses) if place != len(clauses) - without]
    with _solver(left) as solver:
        solver.conf_budget(CONFLICTS)
        return tuple(one for one in solver.get_model() if one > 0) if solver.solve_limited() else ()


def _solver(clauses: Sequence[Clause], **how: bool) -> Any:
    try:
        from pysat.solvers import Solver  # noqa: PLC0415
    except ImportError:
        raise PackageError("python-sat", "prove") from None
    return Solver(name=SOLVER, bootstrap_with=[list(clause) for clause in clauses], **how)


def _clause(line: str) -> Clause:
    *literals, end = map(int, line.split())
    assert end == 0
    return tuple(literals)
