"""A pattern that is written may reach a location that an entry denies or wants confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("denied-inside")


RULE = Rule(
    "denied-inside",
    Action.ASK,
    "A pattern that is written may reach a location that an entry denies or wants confirmed.",
    "a formatter over `./**` where `./prod/**` is denied",
    "a formatter over `./src/**`",
    find,
    always=True,
)
