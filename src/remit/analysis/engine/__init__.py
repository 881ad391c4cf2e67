"""The evaluator of Method A: one work list over Python and JavaScript, in parts.

`base` holds the state; `leaks`, `members`, `elements`, `stores`, `collections`, `methods`, `expressions`, `effects`, `apply`, `intrinsics*`, `calls`, `evaluate` and
`modules` each add one concern, in this order, and `Engine` is the sum.
"""
