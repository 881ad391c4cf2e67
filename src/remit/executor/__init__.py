"""Who acts? Whoever has two proofs of two servers for exactly this request, once.

- accept: the acceptance predicate, numbered; pure
- replay: an action is marked before it happens, and never marked twice
"""
