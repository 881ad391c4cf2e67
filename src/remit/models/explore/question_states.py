"""The life of one question: a pure step. The store does the same in single statements; a test holds the two together."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from remit.guard.store.approvals import ANSWERS, State


class Answered(NamedTuple):
    """Somebody answers: `ONCE`, `SESSION`, `DENIED`; or `SPENT`, when a grant was given in place of an answer."""

    state: State


class Tried(NamedTuple):
    """The call is made again."""


class Passed(NamedTuple):
    """The time of the question is over."""


Happening: TypeAlias = "Answered | Tried | Passed"


class Step(NamedTuple):
    """Where a question stands afterwards, and whether the call that was tried runs."""

    state: State
    admits: bool = False


def step(state: State, happening: Happening) -> Step:
    """What becomes of a question. Only a pending one can be answered, and an answer for one call admits one."""
    match happening, state:
        case Answered(answer), State.PENDING if answer in ANSWERS:
            return Step(answer)
        case Tried(), State.ONCE:
            return Step(State.SPENT, admits=True)
        case Tried(), State.SESSION:
            return Step(State.SESSION, admits=True)
        case Passed(), State.PENDING | State.ONCE | State.SESSION:
            return Step(State.EXPIRED)
        case _:
            return Step(state)
