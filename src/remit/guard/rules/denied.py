"""What an entry of the user's baseline, of the manifest or of the task denies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Hit, Rule
from remit.policy.judge import Deny

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView


def find(view: CallView) -> Iterator[Hit]:
    """Each request that is denied."""
    for one in view.judged_as(Deny):
        yield Hit(f"{one.request.capability} {one.request.scope.render()}", getattr(one.judgement, "reason", ""))


RULE = Rule(
    "denied",
    Action.DENY,
    "An entry of the workspace's trusted defaults, of the skill's manifest or of the task denies it.",
    "a command that `remit-defaults.json` denies",
    "the same command where nothing denies it",
    find,
    fixed=True,
    always=True,
)
