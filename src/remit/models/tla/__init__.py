"""TLA+ twins: independent second specifications of protocols, checked by TLC, which cross-check the explorer and the
models.

- jar: the location of TLC, and the check of its version
- machine: a process with one Java machine in which TLC runs many times; runner speaks with it
- values: Python and TLA+ values in a common text form
- twin: the twin type
- output_parser: the output of TLC, with all states and transitions
- comparison: these against the states and transitions of the code that runs
- gates: the gates that every twin must pass
- twins: protocols in TLA+ with their constants; registry lists them
"""
