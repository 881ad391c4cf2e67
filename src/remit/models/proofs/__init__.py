"""Proofs for all sizes: an SMT solver shows our protocol rules for any number of layers, people, workers and records.

- theory: what a theory, a theorem, a mutant and a tie are
- solving: the solver, and what it says
- checking: the gates
- registry: the theories (`theories/*.py`); data/theorems.table is the list of what is claimed
"""
