"""Brokers: who answers when a call needs a person's approval and the host itself cannot ask.

The answer comes from no one, from rules, from a person at a terminal, or from a service. A broker only writes an answer
into the store, as `remit approvals` does; the call is then decided again and finds it there. So an answer admits a call
in exactly one way, as often as the answer says. Any failure counts as no answer.
"""
