"""Stores of the gateway, and the application of state machine steps to them.

- operations: the requests of an operation to a store; an operation is a generator that yields wherever others may interleave
- serialization: serialization of values; tables: the tables and their forms
- store: many operations run in one transaction
- sql: the databases
"""
