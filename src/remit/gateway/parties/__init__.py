"""Clients for the other parties.

- traffic_shaping: timing of questions, and cover questions; docs/leakage.md says what a policy server can see
- servers: both policy servers at once
- accusations: identification of the lying server when answers are not rows of the lists
- executor: the executors
"""
