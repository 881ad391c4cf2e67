"""Proofs for all sizes: an SMT solver shows our protocol rules for any number of layers, people, workers and records.

- theory: the types of theories, theorems, mutants and ties
- solver: the solver and its answers
- gates: the gates that every theory must pass
- registry: the theories (`theories/*.py`); data/theorems.table is the list of what is claimed
"""
