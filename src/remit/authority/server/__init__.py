"""A policy server as a process: it holds program and lists, answers questions with the other one, and signs what it decided.

- actions: the life of one action, as a pure step
- pool: triples that were dealt and checked, each portion for one action
- service: from a question to a share, and from a share to a proof
- app: what can be asked over HTTP
"""
