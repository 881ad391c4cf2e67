"""Changes, and secrets, that only a skill's own manifest grants, and no person trusted that manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.effect_words import effect_words
from remit.guard.rules.model import Action, Hit, Rule
from remit.manifest.model import Verification
from remit.policy.gate import Standing
from remit.policy.judge import Allow, Ask
from remit.policy.rules import Authority

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView
    from remit.policy.decide import Judged


def find(view: CallView) -> Iterator[Hit]:
    """Requests that the level of the skill makes a question, and secrets that it would read."""
    for one in view.decided.judged:
        if _is_question(one) or _is_secret(view, one):
            words = effect_words(one.request.capability, one.request.scope)
            yield Hit(
                f"{one.request.capability} {one.request.scope.render()}",
                f"`{one.principal}` wants to {words}; only its own manifest grants that, and nobody trusted it (`remit guard trust`)",
            )


def _is_question(one: Judged) -> bool:
    return isinstance(one.judgement, Ask) and one.judgement.standing is not Standing.ASK


def _is_secret(view: CallView, one: Judged) -> bool:
    """Whether a secret or another sensitive file is read by the word of the skill alone: the gate asks only about changes."""
    if not isinstance(one.judgement, Allow):
        return False
    rights = view.live.policy.policy(one.principal)
    used = one.judgement.uses if one.request.capability == "secret.read" else one.judgement.uses[1:]
    by_itself = any(rights.granting[member][1].authority is Authority.SKILL for member in used)
    return by_itself and rights.level is Verification.UNVERIFIED


RULE = Rule(
    "untrusted-manifest",
    Action.ASK,
    "A skill uses a right that only its own manifest gives, and no person trusted the manifest.",
    "a write outside of the workspace that an untrusted manifest grants",
    "the same write after `remit guard trust`",
    find,
)
