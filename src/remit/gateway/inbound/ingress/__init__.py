"""Acceptance of events, each of them once.

- event: an incoming event
- gate: the decision to accept it
- deduplication: the name by which it is remembered
- event_session: events about earlier messages belong to the session of that message
- intake: the way of an event from the gate to its agent
- store: stored events
"""
