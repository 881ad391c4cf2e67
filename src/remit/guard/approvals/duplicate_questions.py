"""Folding of questions that ask the same thing into one. Pure.

Two questions are the same if they come from the same principal in the same session and are about the same capabilities
on the same scopes. A question with another reason too (something is not understood, or goes to an unnamed destination)
is never folded: a person must read its words.
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
        """The question that is shown."""
        return self.questions[0]

    @property
    def size(self) -> int:
        """The number of calls that wait for the answer."""
        return len(self.questions)


def same(question: Approval) -> Key:
    """Return a key that is equal for questions that ask the same thing."""
    shown = question.shown
    whose = (question.host, question.session, question.principal)
    asks = sorted({f"{one['capability']} {one['scope']} {one['principal']}" for one in shown.get("asks", ())})
    if not asks or shown.get("others"):
        return (*whose, question.subject)
    return (*whose, "", *asks)


def fold(questions: Iterable[Approval]) -> tuple[Folded, ...]:
    """Fold questions, in the order in which the first of each kind came."""
    found: dict[Key, list[Approval]] = {}
    for question in questions:
        found.setdefault(same(question), []).append(question)
    return tuple(Folded(tuple(group)) for group in found.values())
