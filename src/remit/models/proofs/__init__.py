"""Proofs for all sizes: what a solver shows of the rules on which our protocols rest, whatever the numbers of layers, people, workers and records are.

- theory: what a theory, a theorem, a mutant and a tie are
- solving: the solver, and what it says
- checking: the gates
- registry: the theories (`theories/*.py`); data/theorems.table is the list of what is claimed
"""
