"""A skill writes a file that has several names, so that something elsewhere changes too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("hard-link")


RULE = Rule(
    "hard-link",
    Action.ASK,
    "A skill writes a file that has several names, so that something elsewhere changes too.",
    "echo x > second-name",
    "echo x > new-file",
    find,
)
