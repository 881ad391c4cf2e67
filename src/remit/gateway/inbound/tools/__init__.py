"""Tool policy: eight layers, deny wins.

- names: canonical names of tools; groups and aliases (data/tools.table)
- layers: the tools that remain after all layers
- calls: state machine of tool calls; the policy at the time of running counts
"""
