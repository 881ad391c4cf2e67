"""The memory of actions: an action is marked before it happens, and never marked twice, by whatever executor and after any crash.

- memory: what a store must do, and the life of a mark as a pure step
- sqlite, redis, postgres: where it is kept
- opening: which of them the settings name
"""
