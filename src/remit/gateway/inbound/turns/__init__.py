"""Turns: what an agent does about an event.

- life: state machine of a turn; pure
- store: stored turns
"""
