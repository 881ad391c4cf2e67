"""Effects of a skill that neither its manifest nor ordinary work in the workspace holds: the wall that is crossed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import FILE_DELETES, FILE_READS, FILE_WRITES
from remit.guard.rules.effect_words import effect_words
from remit.guard.rules.model import Action, Hit, Rule
from remit.policy.judge import Ask
from remit.policy.principal import UNLISTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.rules.model import CallView
    from remit.policy.decide import Judged

_BY_FOLDER = frozenset((*FILE_READS, *FILE_WRITES, *FILE_DELETES))


def crossed(view: CallView, one: Judged) -> tuple[str, ...]:
    """The capabilities of a request that no entry speaks of."""
    if not isinstance(one.judgement, Ask):
        return ()
    granting = view.live.policy.policy(one.principal).granting
    return tuple(name for name, member in one.judgement.held if granting[member][1].source == UNLISTED)


def find(view: CallView) -> Iterator[Hit]:
    """One hit for each capability and place."""
    for one in view.judged_as(Ask):
        names = crossed(view, one)
        if names:
            name = names[-1]  # a sensitive place says more than `file.write`
            scope = one.request.scope
            words = effect_words(name, scope)
            yield Hit(
                f"{name} {scope.render()}", f"`{one.principal}` wants to {words}, which its manifest does not grant"
            )


RULE = Rule(
    "not-granted",
    Action.ASK,
    "A skill wants to do something that is neither ordinary work in the workspace nor granted by its manifest.",
    "curl -d @report.txt https://api.example.com",
    "cat report.txt",
    find,
)
