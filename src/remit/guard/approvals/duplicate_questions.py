"""Questions that ask the same thing are one question. Pure.

Two questions are the same if they come from the same principal in the same session and are about the same capabilities on the same
scopes. One that is asked for another reason too (something is not understood, or is sent where nobody named) stands for itself: its
words are what a person must read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.guard.store import Approval

Key: TypeAlias = "tuple[str, ...]"


class Folded(NamedTuple):
    """Questions that one answer may settle, the oldest first."""

    questions: tuple[Approval, ...]

    @property
    def first(self) -> Approval:
        """The one that is shown."""
        return self.questions[0]

    @property
    def size(self) -> int:
        """How many calls wait for it."""
        return len(self.questions)


def same(question: Approval) -> Key:
    """What two questions share if they ask the same thing."""
    shown = question.shown
    whose = (question.host, question.session, question.principal)
    asks = sorted({f"{one['capability']} {one['scope']} {one['principal']}" for one in shown.get("asks", ())})
    if not asks or shown.get("others"):
        return (*whose, question.subject)
    return (*whose, "", *asks)


def fold(questions: Iterable[Approval]) -> tuple[Folded, ...]:
    """Questions, each kind once, in the order in which the first of each came."""
    found: dict[Key, list[Approval]] = {}
    for question in questions:
        found.setdefault(same(question), []).append(question)
    return tuple(Folded(tuple(group)) for group in found.values())
