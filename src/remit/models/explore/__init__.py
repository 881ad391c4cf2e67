"""The explorer: it visits every state of our state machines through the functions that run.

- model: the model type: states, actions, invariants, and mutants (seeded bugs in one function)
- search: breadth first, so that the first counterexample is the shortest
- liveness: what must eventually happen in every fair order
- interleave: store operations, interleaved at every point, with crashes
- configurations: all small settings, as initial states
- patches: replacing one function while a mutant is explored
- gates: the gates that every model must pass
- worlds: the models; registry lists them, data/expected.table has their recorded sizes
"""
