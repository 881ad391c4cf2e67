"""Replay protection: a store that marks an action before it happens, and never twice, across executors and crashes.

- memory: the interface of a store, and the life of a mark as a pure step
- sqlite, redis, postgres: the stores
- backends: opening the store that the settings name
"""
