"""A skill is loaded that is not what a person trusted, or whose text the rules of `remit check` find grave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("skill-load")


RULE = Rule(
    "skill-load",
    Action.ASK,
    "A skill is loaded that is not what a person trusted, or whose text the rules of `remit check` find grave.",
    "loading a skill that tells the agent to hide something from the user",
    "loading a skill that was trusted as it is",
    find,
    always=True,
)
