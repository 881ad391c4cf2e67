"""Admission of new people: a person asks, gets a code, and the operator approves the code.

- state_machine: state machine of a channel's pairings; pure
- store: stored pairings
"""
