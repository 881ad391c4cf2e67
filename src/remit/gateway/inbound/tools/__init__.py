"""What an agent may call: eight layers, deny wins.

- names: one spelling for each tool; groups and other names of tools (data/tools.table)
- layers: what is left after all layers
- calls: what was shown to a model does not matter when it calls: what counts is the policy at that moment
"""
