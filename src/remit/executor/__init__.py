"""The executor, which performs an effect once, after it verified the proofs of both policy servers for exactly this
request.

- accept, accepted_request: the numbered acceptance predicate, which is pure, and the value that it issues
- replay: the store that marks an action before it happens, and never twice
- executor: accept, mark, record, act, record
- effects: adapters that perform the effects
- app: the HTTP interface for the gateway
"""

from remit.executor.accept import Presented  # with it the predicate claims the right to issue what opens the door

__all__ = ["Presented"]
