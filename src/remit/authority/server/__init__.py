"""A policy server as a process: it holds tables, answers questions about them, and signs what it answered. It keeps nothing of either.

- service: from a question to an answer and a signed proof
- app: what can be asked over HTTP
- run: the process
"""
