"""A skill acts on a file outside of the workspace to which only the text of another skill points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("other-skill-location")


RULE = Rule(
    "other-skill-location",
    Action.ASK,
    "A skill acts on a file outside of the workspace to which only the text of another skill points.",
    "python3 scripts/read.py ~/notes.txt, a path of another skill",
    "python3 scripts/read.py ./notes.txt",
    find,
)
