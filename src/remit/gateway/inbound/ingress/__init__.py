"""Acceptance of events, each of them once.

- event: an incoming event
- gate: the decision to accept it
- once: the name by which it is remembered
- about: events about earlier messages belong to the session of that message
- hear: the way of an event from the gate to its agent
- store: stored events
"""
