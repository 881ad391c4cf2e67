"""The rules by which the guard stops a call, listed in `registry.py`. Those in `reported.py` say what
facts do that are found on the way, those in `rights.py` what follows from rights; the others have a file each.

A rule is a query over structured facts of a call: its requests as they were judged, where it sends things, what was not understood.
It never reads display text, and never the user's verbs. What it finds is a hit: what exactly, so that an answer can be remembered,
and one sentence for a person.
"""

from remit.guard.rules.model import Action, CallView, Hit, Rule, Stop

__all__ = ["Action", "CallView", "Hit", "Rule", "Stop"]
