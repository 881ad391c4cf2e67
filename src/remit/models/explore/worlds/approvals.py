"""Model of a guard question (`explore/question_states.py`): several approvers, retried calls, and time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.guard.store import State
from remit.models.explore import question_states
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch
from remit.models.explore.question_states import Answered, Passed, Step, Tried

ADMITTED = 3  # more than twice is the same


class ApprovalState(NamedTuple):
    """Where the question stands, and what really went on."""

    state: State = State.PENDING
    answer: State | None = None  # the first that counted
    answered_late: bool = False  # an answer counted after the time was over
    over: bool = False
    admitted: int = 0
    late: bool = False  # a call was admitted after the time was over


def _actions() -> tuple[Action, ...]:
    def answer(world: ApprovalState) -> Iterator[tuple[Any, ApprovalState]]:
        for said in State:
            after = question_states.step(world.state, Answered(said))
            if after.state is not world.state or after.admits:
                yield str(said), world._replace(
                    state=after.state, answer=world.answer or said, answered_late=world.over,
                    admitted=world.admitted + after.admits,
                )  # fmt: skip

    def attempt(world: ApprovalState) -> Iterator[tuple[Any, ApprovalState]]:
        after = question_states.step(world.state, Tried())
        admitted = min(world.admitted + after.admits, ADMITTED)
        yield (), world._replace(state=after.state, admitted=admitted, late=world.late or (after.admits and world.over))

    def passed(world: ApprovalState) -> Iterator[tuple[Any, ApprovalState]]:
        yield (), world._replace(state=question_states.step(world.state, Passed()).state, over=True)

    return Action("answer", answer), Action("try", attempt), Action("the time is over", passed)


_INVARIANTS = (
    Invariant("once-is-once", "an answer for one call admits one call", lambda world: world.answer is State.ONCE,
              lambda world: world.admitted <= 1),
    Invariant("only-a-yes-admits", "no call is admitted without a person's approval",
              lambda world: world.answer not in (State.ONCE, State.SESSION), lambda world: world.admitted == 0),
    Invariant("a-no-is-final", "a denied call stays denied", lambda world: world.answer is State.DENIED,
              lambda world: world.state is State.DENIED),
    Invariant("over-is-over", "a question that has ended cannot be answered and admits nothing", lambda world: world.over,
              lambda world: not world.late and not world.answered_late),
)  # fmt: skip


def _spoiled(when: Callable[[State, Any], bool], then: Callable[[State, Any], Step]) -> Callable[..., Any]:
    def spoil(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda state, happening: then(state, happening) if when(state, happening) else real(state, happening)

    return spoil


def model() -> Model:
    """The model."""
    stays = _spoiled(
        lambda state, event: state is State.ONCE and isinstance(event, Tried), lambda state, _: Step(state, admits=True)
    )
    pending = _spoiled(
        lambda state, event: state is State.PENDING and isinstance(event, Tried),
        lambda state, _: Step(state, admits=True),
    )
    again = _spoiled(
        lambda state, event: state is State.DENIED and isinstance(event, Answered), lambda _, event: Step(event.state)
    )
    endless = _spoiled(lambda _, event: isinstance(event, Passed), lambda state, _: Step(state))
    mutants = (
        Mutant("does not spend an answer", "once-is-once", Patch(question_states, "step", stays)),
        Mutant("admits what waits", "only-a-yes-admits", Patch(question_states, "step", pending)),
        Mutant("lets a no be answered again", "a-no-is-final", Patch(question_states, "step", again)),
        Mutant("has no end", "over-is-over", Patch(question_states, "step", endless)),
    )
    ended = (State.SPENT, State.DENIED, State.EXPIRED)
    return Model(
        "approvals", "one approval admits one call; a denial and the end of a question are final",
        (ApprovalState(),), _actions, _INVARIANTS, lambda world: world.state in ended and world.over, mutants,
    )  # fmt: skip
