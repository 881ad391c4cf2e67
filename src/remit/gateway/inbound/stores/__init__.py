"""Where the gateway remembers, and how a protocol's step is applied there.

- operations: what an operation asks of a store; an operation is a generator that yields at each point where others may come in between
- forms: values of ours as text, and back
- sqlite, postgres: stores; many operations go to the disk together
"""
