"""Changes that only a skill's own manifest grants, and no person trusted that manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.effect_words import effect_words
from remit.guard.rules.model import Action, Hit, Rule
from remit.policy.gate import Standing
from remit.policy.judge import Ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView


def find(view: CallView) -> Iterator[Hit]:
    """Requests that the level of the skill makes a question."""
    for one in view.judged_as(Ask):
        if isinstance(one.judgement, Ask) and one.judgement.standing is not Standing.ASK:
            words = effect_words(one.request.capability, one.request.scope)
            yield Hit(
                f"{one.request.capability} {one.request.scope.render()}",
                f"`{one.principal}` wants to {words}; only its own manifest grants that, and nobody trusted it (`remit guard trust`)",
            )


RULE = Rule(
    "untrusted-manifest",
    Action.ASK,
    "A skill uses a right that only its own manifest gives, and no person trusted the manifest.",
    "a write outside of the workspace that an untrusted manifest grants",
    "the same write after `remit guard trust`",
    find,
)
