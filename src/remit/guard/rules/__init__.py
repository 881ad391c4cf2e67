"""The rules by which the guard stops a call, listed in `registry.py`.

`reported.py` has the rules about facts that are found before the rules run, `rights.py` those about rights; the others
have a file each.

A rule is a query over structured facts of a call: its judged requests, its destinations, what was not understood. It
never reads display text, and never the verbs of the user's text. It returns hits: the exact object, so that an answer
can be remembered, and one sentence for a person.
"""

from remit.guard.rules.model import Action, CallView, Hit, Rule, Stop

__all__ = ["Action", "CallView", "Hit", "Rule", "Stop"]
