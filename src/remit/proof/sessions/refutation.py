"""Refutations of the three steps of the induction, found by a SAT solver and checked by us."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import PackageError
from remit.proof.sessions.rup import refutes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.proof.sessions.cnf import Clause

PACKAGE, SOLVER = "python_sat", "cadical153"


def refute(clauses: Sequence[Clause]) -> tuple[Clause, ...] | None:
    """A refutation that was checked; None if the clauses can be satisfied, or if what the solver wrote is none."""
    try:
        from pysat.solvers import Solver  # noqa: PLC0415
    except ImportError:
        raise PackageError("python-sat", "prove") from None
    with Solver(name=SOLVER, bootstrap_with=[list(clause) for clause in clauses], with_proof=True) as solver:
        if solver.solve():
            return None
        lines = solver.get_proof()
    proof = tuple(_clause(line) for line in lines if not line.startswith("d"))  # what it forgets, we may remember
    return proof if refutes(clauses, proof) else None


def _clause(line: str) -> Clause:
    *literals, end = map(int, line.split())
    assert end == 0
    return tuple(literals)
