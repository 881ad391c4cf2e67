"""Intents that the gateway serves itself: nothing leaves the machine, and no proofs are needed.

- workspace: files below one folder, without following links, and skills, read but not run
- notes: memory of callers, and messages between them
- dispatch: dispatch by intent
"""
