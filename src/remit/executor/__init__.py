"""Who acts? Whoever has two proofs of two servers for exactly this request, once.

- accept: the acceptance predicate, numbered; pure
- replay: an action is marked before it happens, and never marked twice
- acting: accept, mark, record, act, record
- effects: what happens, for real
- app: what the gateway can ask over HTTP
"""
