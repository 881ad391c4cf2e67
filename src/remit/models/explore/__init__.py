"""State machines of ours, explored state by state through the functions that run.

- model: what a model is: states, actions, invariants, and reds (one function of ours spoiled)
- search: breadth first, so that what goes wrong is told by the shortest story
- patching: one function spoiled while a red is explored
- checking: the gates that every model must pass
- worlds: the models; registry lists them, data/expected.table has what they are known to have
"""
