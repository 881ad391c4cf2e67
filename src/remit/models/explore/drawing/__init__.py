"""Pictures of small models: states and transitions as a graph.

- graph: what is drawn: all states, or the story of a mutant alone
- layout: where: layers from top to bottom, few crossings
- svg: how it looks
"""
