"""The decision on a call, from what the rules found and what persons answered before. Pure.

(1) A stop that denies ends the call.
(2) Stops that ask are asked about, unless a person answered them before for the same skill, workspace and object.
(3) The rest runs; notices go along with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from remit.guard.rules.model import Action, Stop
from remit.policy.gate import Gate

_SHOWN = 3
Answered = tuple[str, str]  # a rule, and what exactly was asked about


class Settled(NamedTuple):
    """The decision on a call, with its reasons."""

    gate: Gate  # ALLOW, CONFIRM or DENY
    stops: tuple[Stop, ...] = ()  # those that decide
    answered: bool = False  # a person approved everything that would be asked
    notices: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """One sentence for each of the stops that are shown."""
        sentences = tuple(dict.fromkeys(one.hit.sentence for one in self.stops))
        more = len(sentences) - _SHOWN
        return (*sentences[:_SHOWN], f"and {more} more") if more > 0 else sentences

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that decide, each once."""
        return tuple(dict.fromkeys(one.rule for one in self.stops))


def settle(stops: Iterable[Stop], answered: Collection[Answered]) -> Settled:
    """Decide, in the order of the module's documentation."""
    every = tuple(stops)
    notices = tuple(one.hit.sentence for one in every if one.action is Action.NOTICE)
    denying = [one for one in every if one.action is Action.DENY]
    if denying:  # (1)
        return Settled(Gate.DENY, tuple(one for one in denying if one.rule == denying[0].rule), notices=notices)
    asking = [one for one in every if one.action is Action.ASK]
    left = tuple(one for one in asking if (one.rule, one.hit.about) not in answered)
    if left:  # (2)
        return Settled(Gate.CONFIRM, left, notices=notices)
    return Settled(Gate.ALLOW, answered=bool(asking), notices=notices)  # (3)
