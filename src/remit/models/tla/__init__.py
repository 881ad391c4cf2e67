"""TLA+ twins: independent second specifications of protocols, checked by TLC, which cross-check the explorer and the
models.

- jar: where TLC is, and that it is the one we mean
- machine: a process with one Java machine in which TLC runs many times; runner speaks with it
- values: what is of Python and what is of TLA+, in one text for both
- making: a twin with its constants, as files for TLC
- output_parser: what TLC said, and all states and steps that it found
- comparison: these against the states and moves of the code that runs
- gates: the gates that every twin must pass; together checks several at a time
- twins: a protocol in TLA+ and, beside it, where its constants come from; registry lists them
"""
