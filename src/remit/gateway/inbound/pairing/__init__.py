"""How a stranger comes to be let in: it asks, is given a code, and the operator approves the code.

- life: the pure step for one channel
- store: the same, kept
"""
