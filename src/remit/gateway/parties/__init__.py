"""Clients for the other parties.

- servers: both policy servers at once, timing of questions, and cover questions
- accusations: identification of the lying server when answers are not rows of the lists
- executor: the executors
"""
