"""The rules by which the guard stops a call, one file each but for those in `reported.py`; `registry.py` lists them.

A rule is a query over structured facts of a call: its requests as they were judged, where it sends things, what was not understood.
It never reads display text, and never the user's verbs. What it finds is a hit: what exactly, so that an answer can be remembered,
and one sentence for a person.
"""

from remit.guard.rules.model import Action, CallView, Hit, Rule, Stop

__all__ = ["Action", "CallView", "Hit", "Rule", "Stop"]
