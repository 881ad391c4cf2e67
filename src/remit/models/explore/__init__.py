"""State machines of ours, explored state by state through the functions that run.

- model: what a model is: states, actions, invariants, and mutants (one function of ours spoiled)
- search: breadth first, so that what goes wrong is told by the shortest story
- liveness: what must come about, whatever fair order things happen in
- interleave: operations of a store, with others in between at every point, and with crashes
- configurations: all small settings there are, as states to begin with
- patching: one function spoiled while a mutant is explored
- checking: the gates that every model must pass
- worlds: the models; registry lists them, data/expected.table has what they are known to have
"""
