"""Who acts? Whoever has two proofs of two servers for exactly this request, once.

- accept, accepted: the acceptance predicate, numbered; pure; and what it makes, which opens the door of effects
- replay: an action is marked before it happens, and never marked twice
- acting: accept, mark, record, act, record
- effects: what happens, for real
- app: what the gateway can ask over HTTP
"""

from remit.executor.accept import Presented  # with it the predicate claims the right to issue what opens the door

__all__ = ["Presented"]
