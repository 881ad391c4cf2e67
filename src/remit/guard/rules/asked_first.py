"""What the workspace's trusted defaults, or the manifest, want a person to be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.effect_words import effect_words
from remit.guard.rules.model import Action, Hit, Rule
from remit.guard.rules.not_granted import crossed
from remit.policy.gate import Standing
from remit.policy.judge import Ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView


def find(view: CallView) -> Iterator[Hit]:
    """Requests whose deciding entry says `confirm`."""
    for one in view.judged_as(Ask):
        if isinstance(one.judgement, Ask) and one.judgement.standing is Standing.ASK and not crossed(view, one):
            words = effect_words(one.request.capability, one.request.scope)
            who = f"`{one.principal}`" if one.principal else "the agent"
            yield Hit(
                f"{one.request.capability} {one.request.scope.render()}",
                f"{who} wants to {words}, which an entry wants confirmed",
            )


RULE = Rule(
    "asked-first",
    Action.ASK,
    "An entry of the workspace's trusted defaults or of the manifest says `confirm`.",
    "a command that `remit-defaults.json` wants confirmed",
    "the same command where no entry says `confirm`",
    find,
    always=True,
)
