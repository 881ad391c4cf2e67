"""From a preview to a commit: one request, one caller, one session, once, and in time.

- life: what becomes of a transaction, as a pure step
- store: transactions in a file; a step is applied whole or not at all
- confirming: what an approver is shown, and signs
"""
