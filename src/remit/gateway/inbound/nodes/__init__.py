"""Commands on devices, approved one by one.

- commands: which commands a device may be asked for at all (data/nodes.table)
- runs: one request, from asking to running, as a pure step
"""
