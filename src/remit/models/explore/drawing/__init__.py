"""States and ways of a small model as a picture.

- graph: what is drawn: all states, or the story of a mutant alone
- layout: where: layers from top to bottom, few crossings
- svg: how it looks
"""
