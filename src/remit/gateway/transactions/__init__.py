"""Transactions from a preview to a commit: for one request, caller and session, once, and in time.

- state_machine: state machine of a transaction; pure
- store: transactions in a database; each step is atomic
- outcome: how a transaction ended, as text
- confirmations: what an approver sees and signs
"""
