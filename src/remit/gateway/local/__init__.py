"""Intents that the gateway serves itself: nothing leaves the machine, and no proofs are needed.

- workspace: files below one folder, without following links
- notes: memory of callers, and messages between them
- skills: the skills in a folder, read but not run
- dispatch: dispatch by intent
"""
