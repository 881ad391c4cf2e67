"""Values that an agent may use and not see: it has a handle, the gateway has the value.

- life: what becomes of a handle, as a pure step
- budget: how much may be shown to a channel
- store: handles, secrets of the operator and budgets in a file; values are sealed
"""
