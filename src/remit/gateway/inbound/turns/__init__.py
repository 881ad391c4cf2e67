"""Turns: what an agent does about an event.

- state_machine: state machine of a turn; pure
- store: stored turns
"""
