"""Sending of answers, at most once.

- state_machine: state machine of a piece to be sent; pure
- store: the pieces of all answers
- history: conversations on channels of the gateway itself
"""
