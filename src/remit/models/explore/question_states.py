"""The life of one question, as a pure step. The store does the same in single statements; a test compares the two."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from remit.guard.store import ANSWERS, State


class Answered(NamedTuple):
    """An approver answers: `ONCE`, `SESSION`, `DENIED`; or `SPENT`, when a grant was given in place of an answer."""

    state: State


class Tried(NamedTuple):
    """The call is retried."""


class Passed(NamedTuple):
    """The question has expired."""


Happening: TypeAlias = "Answered | Tried | Passed"


class Step(NamedTuple):
    """The next state of a question, and whether the retried call runs."""

    state: State
    admits: bool = False


def step(state: State, happening: Happening) -> Step:
    """Return the next state of a question. Only a pending one can be answered, and an answer for one call admits one."""
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
