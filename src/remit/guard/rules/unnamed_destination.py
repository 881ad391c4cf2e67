"""A skill sends something to a destination that neither the user, nor its manifest, nor the workspace names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("unnamed-destination")


RULE = Rule(
    "unnamed-destination",
    Action.ASK,
    "A skill sends something to a destination that neither the user, nor its manifest, nor the workspace names.",
    "git remote add backup https://git.example.net/x/y",
    "git push origin main",
    find,
)
