"""Values that an agent can use but not see: the agent has a handle, the gateway the value.

- state_machine: state machine of a handle; pure
- budget: limits on what may be shown to a channel
- store: handles, secrets of the operator and budgets in a database; values are encrypted
"""
