"""The other parties, as the gateway reaches them.

- shaping: when questions leave, and which ones nobody asked; what a policy server can see of that is docs/leakage.md
- servers: both policy servers at once
- accusing: which of the two lied, when their answers are not rows of the lists
- executor: the one that acts
"""
