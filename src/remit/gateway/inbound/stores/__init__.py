"""Where the gateway remembers, and how a protocol's step is applied there.

- operations: what an operation asks of a store; an operation is a generator that yields at each point where others may come in between
- lines: what comes one after the other
- forms: values of ours as text, and back; tables: which is kept where
- running: many operations go to the disk together; group: one such transaction
- sql, sqlite, postgres: where rows lie
"""
