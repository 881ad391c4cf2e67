"""Sending of answers, at most once.

- life: state machine of a piece to be sent; pure
- store: the pieces of all answers
- history: conversations on channels of the gateway itself
"""
