"""The policy server process: it holds tables, answers questions about them, signs the answers, and stores neither.

- service: the answer to a question, with a signed proof
- app: the HTTP interface
- run: the process
"""
