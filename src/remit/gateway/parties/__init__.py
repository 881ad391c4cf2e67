"""Clients for the other parties.

- servers: both policy servers at once, timing of questions, cover questions, and who lies when answers are not rows of the lists
- executor: the executors
"""
